-- Consistent hash by an expression: the same value leads to the same endpoint.

local hash_key = require("kubewire.hash_key")
local ring = require("kubewire.ring")

local _M = {}
_M.__index = _M

function _M.new(peers, data)
  local nodes = {}
  for i, peer in ipairs(peers) do
    nodes[i] = { key = peer.key, peer = peer }
  end
  return setmetatable({ parts = hash_key.compile(data.hashBy), ring = ring.new(nodes), peers = peers }, _M)
end

function _M:pick(failed)
  local key = hash_key.value(self.parts)
  local peer = self.ring:find(key).peer
  if failed and failed[peer.key] then
    -- The key's endpoint failed: another place on the ring, the same for each request with this key.
    for i = 1, 20 do
      local other = self.ring:find(key .. "\1" .. i).peer
      if not failed[other.key] then
        return other
      end
    end
  end
  return peer
end

return _M
