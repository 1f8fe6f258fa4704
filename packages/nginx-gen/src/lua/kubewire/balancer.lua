-- One try of one request: asks the backend's picker, tells nginx the address.

local affinity = require("kubewire.affinity")
local backends = require("kubewire.backends")
local ngx_balancer = require("ngx.balancer")

local _M = {}

-- Endpoints that failed in this request already, by key.
local function failed_peers(ctx)
  local last = ctx.kubewire_last_peer
  if not last then
    return nil
  end
  local failed = ctx.kubewire_failed
  if ngx_balancer.get_last_failure() then
    failed = failed or {}
    failed[last.key] = true
    ctx.kubewire_failed = failed
  end
  return failed
end

local function pick(backend, failed)
  if not backend.affinity then
    return backend.picker:pick(failed)
  end
  local endpoint_key = affinity.read(backend)
  local peer = endpoint_key and backend.picker:find(endpoint_key)
  if peer and not (failed and backend.affinity.changeOnFailure) then
    return peer
  end
  local new_peer, new_key = backend.picker:pick_new(failed)
  if new_peer then
    affinity.write(backend, new_key)
  end
  return new_peer
end

-- Tells nginx the address of an endpoint.
local function dial(backend, ctx)
  local peer = pick(backend, failed_peers(ctx))
  if not peer then
    return ngx.exit(ngx.HTTP_BAD_GATEWAY)
  end
  ctx.kubewire_last_peer = peer
  -- nginx counts tries against proxy_next_upstream_tries itself; one more is always allowed.
  ngx_balancer.set_more_tries(1)
  local ok, err = ngx_balancer.set_current_peer(peer.dialled, peer.port)
  if not ok then
    ngx.log(ngx.ERR, "endpoint ", peer.key, " of ", backend.name, " cannot be used: ", err)
  end
end

function _M.balance()
  local ctx = ngx.ctx
  local backend = ctx.kubewire_backend
  if not backend then
    -- A location without our rewrite step: an error page or a default backend.
    backend = backends.get(ngx.var.proxy_upstream_name)
    if not backend then
      return ngx.exit(ngx.HTTP_SERVICE_UNAVAILABLE)
    end
    ctx.kubewire_backend = backend
  end
  return dial(backend, ctx)
end

-- A question to an authentication service: its backend stands in a variable of the question.
function _M.balance_question()
  local ctx = ngx.ctx
  local backend = ctx.kubewire_backend or backends.get(ngx.var.auth_upstream)
  if not backend then
    return ngx.exit(ngx.HTTP_BAD_GATEWAY)
  end
  ctx.kubewire_backend = backend
  return dial(backend, ctx)
end

return _M
