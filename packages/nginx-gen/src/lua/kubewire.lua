-- Entry points of the data plane, one per phase of nginx that calls us. Called from the generated configuration by
-- constant one-line blocks; everything variable comes from nginx variables or from the shared dictionaries.

local backends = require("kubewire.backends")
local balancer = require("kubewire.balancer")
local canary = require("kubewire.canary")
local certificates = require("kubewire.certificates")
local clienthello = require("ngx.ssl.clienthello")
local control = require("kubewire.control")
local drain = require("kubewire.drain")
local external_auth = require("kubewire.external_auth")
local metrics = require("kubewire.metrics")
local redirect = require("kubewire.redirect")
local route = require("kubewire.route")
local ssl = require("ngx.ssl")

local _M = {}

-- init_worker: seeds the worker's random numbers, tells that a new configuration runs, starts the metrics timer.
function _M.init_worker(max_batch_size)
  math.randomseed(ngx.now() * 1000 + ngx.worker.pid() * 7919)
  control.note_start()
  if max_batch_size > 0 then
    metrics.start(max_batch_size)
  end
end

-- rewrite: TLS redirect, then 503 for a backend without endpoints, then the choice between main and canary.
function _M.rewrite()
  local version = backends.version()
  redirect.to_https(version)
  local main = backends.get(ngx.var.proxy_upstream_name, version)
  if not main then
    return ngx.exit(ngx.HTTP_SERVICE_UNAVAILABLE)
  end
  drain.announce()
  -- Made with all its fields: a table that grows is made anew.
  ngx.ctx = { kubewire_backend = canary.choose(main), kubewire_last_peer = false }
end

-- rewrite of the server of all hosts that are data: finds the route, enters its class.
function _M.route()
  return route.route()
end

-- balancer: picks the endpoint for one try.
function _M.balance()
  return balancer.balance()
end

-- access: asks an authentication service over connections that stay.
function _M.ask()
  return external_auth.ask()
end

-- balancer of such a question.
function _M.balance_question()
  return balancer.balance_question()
end

-- log: lets the picker learn from the response, notes the request for the metrics.
function _M.log()
  local ctx = ngx.ctx
  local backend, peer = ctx.kubewire_backend, ctx.kubewire_last_peer
  if peer and backend.picker.after then
    backend.picker:after(peer)
  end
  metrics.note()
end

-- ssl_client_hello: chooses the certificate of the handshake by SNI, for all servers without a context of their own.
function _M.client_hello()
  return certificates.choose(clienthello.get_client_hello_server_name())
end

-- ssl_certificate: the same for a server with a context of its own, which replaced what was chosen before.
function _M.certificate()
  return certificates.choose(ssl.server_name())
end

-- ssl_certificate where answers of OCSP responders are stapled.
function _M.stapled_certificate()
  return certificates.choose(ssl.server_name(), true)
end

-- content of the control socket.
function _M.control()
  return control.handle()
end

return _M
