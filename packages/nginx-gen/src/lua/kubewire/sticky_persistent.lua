-- Cookie affinity, persistent: the cookie names the endpoint itself, so a session stays as long as its endpoint exists.

local _M = {}
_M.__index = _M

function _M.new(peers, data)
  local by_key = {}
  local keys = {}
  for i, peer in ipairs(peers) do
    local key = ngx.md5(data.name .. peer.key)
    by_key[key] = peer
    keys[i] = key
  end
  return setmetatable({ peers = peers, by_key = by_key, keys = keys }, _M)
end

function _M:find(key)
  return self.by_key[key]
end

function _M:pick_new(failed)
  local count = #self.peers
  local from = math.random(count)
  for i = 0, count - 1 do
    local at = (from + i - 1) % count + 1
    if not failed or not failed[self.peers[at].key] then
      return self.peers[at], self.keys[at]
    end
  end
  return self.peers[from], self.keys[from]
end

return _M
