-- Cookie affinity, balanced: the cookie holds a random key, the endpoint is its place on the ring. Scaling moves some
-- sessions, and the ring keeps the load even.

local ring = require("kubewire.ring")

local _M = {}
_M.__index = _M

function _M.new(peers)
  local nodes = {}
  for i, peer in ipairs(peers) do
    nodes[i] = { key = peer.key, peer = peer }
  end
  return setmetatable({ ring = ring.new(nodes) }, _M)
end

function _M:find(key)
  return self.ring:find(key).peer
end

-- A new key whose endpoint did not fail in this request, if one is found in twenty tries.
function _M:pick_new(failed)
  local peer, key
  for i = 1, 20 do
    key = string.format("%.3f.%d.%d.%d", ngx.now(), i, ngx.worker.pid(), math.random(999999))
    peer = self.ring:find(key).peer
    if not failed or not failed[peer.key] then
      break
    end
  end
  return peer, key
end

return _M
