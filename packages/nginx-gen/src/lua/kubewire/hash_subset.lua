-- Consistent hash over sets of endpoints: the key picks a set, chance picks the endpoint in it.

local hash_key = require("kubewire.hash_key")
local ring = require("kubewire.ring")

local _M = {}
_M.__index = _M

function _M.new(peers, data)
  local size = data.subsetSize and data.subsetSize > 0 and data.subsetSize or 3
  local nodes = {}
  local count = math.ceil(#peers / size)
  for set = 1, count do
    local members = {}
    for i = 1, size do
      -- The last set is filled up from the start of the list.
      members[i] = peers[((set - 1) * size + i - 1) % #peers + 1]
    end
    nodes[set] = { key = "set" .. set, peers = members }
  end
  return setmetatable({ parts = hash_key.compile(data.hashBy), ring = ring.new(nodes) }, _M)
end

function _M:pick(failed)
  local peers = self.ring:find(hash_key.value(self.parts)).peers
  local from = math.random(#peers)
  for i = 0, #peers - 1 do
    local peer = peers[(from + i - 1) % #peers + 1]
    if not failed or not failed[peer.key] then
      return peer
    end
  end
  return peers[from]
end

return _M
