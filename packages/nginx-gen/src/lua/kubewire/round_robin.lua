-- Round robin: every endpoint in turn, per worker, from a random start.

local _M = {}
_M.__index = _M

function _M.new(peers)
  return setmetatable({ peers = peers, at = math.random(#peers) }, _M)
end

-- The next endpoint, passing over those that failed in this request while others are left.
function _M:pick(failed)
  local peers = self.peers
  local count = #peers
  for _ = 1, count do
    self.at = self.at % count + 1
    local peer = peers[self.at]
    if not failed or not failed[peer.key] then
      return peer
    end
  end
  self.at = self.at % count + 1
  return peers[self.at]
end

return _M
