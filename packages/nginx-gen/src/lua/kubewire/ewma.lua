-- Peak EWMA: of two random endpoints the one with the lower decaying average of response times. Averages are shared
-- by all workers; a lost update costs nothing but a little accuracy, so no lock is taken.

local averages = ngx.shared.balancer_ewma
local touched = ngx.shared.balancer_ewma_last_touched_at

local decay_seconds = 10

local _M = {}
_M.__index = _M

function _M.new(peers, data, old)
  local self = setmetatable({ peers = peers, prefix = data.name .. " " }, _M)
  if old then
    self:start_at_mean(old)
  end
  return self
end

-- New endpoints start at the mean of the known ones, so that they are not flooded.
function _M:start_at_mean(old)
  local sum, count = 0, 0
  local is_old = {}
  for _, peer in ipairs(old.peers) do
    is_old[peer.key] = true
    local average = averages:get(self.prefix .. peer.key)
    if average then
      sum, count = sum + average, count + 1
    end
  end
  if count == 0 then
    return
  end
  for _, peer in ipairs(self.peers) do
    if not is_old[peer.key] then
      averages:set(self.prefix .. peer.key, sum / count)
      touched:set(self.prefix .. peer.key, ngx.now())
    end
  end
end

function _M:score(peer)
  local average = averages:get(self.prefix .. peer.key)
  if not average then
    return 0
  end
  local age = math.max(ngx.now() - (touched:get(self.prefix .. peer.key) or 0), 0)
  return average * math.exp(-age / decay_seconds)
end

function _M:pick(failed)
  local candidates = self.peers
  if failed then
    candidates = {}
    for _, peer in ipairs(self.peers) do
      if not failed[peer.key] then
        candidates[#candidates + 1] = peer
      end
    end
    if #candidates == 0 then
      candidates = self.peers
    end
  end
  local count = #candidates
  if count == 1 then
    return candidates[1]
  end
  local first = math.random(count)
  local second = math.random(count - 1)
  if second >= first then
    second = second + 1
  end
  local a, b = candidates[first], candidates[second]
  return self:score(b) < self:score(a) and b or a
end

-- After the response: folds the time of the last try into the endpoint's average.
function _M:after(peer)
  local times = ngx.var.upstream_response_time
  local last = times and tonumber(times:match("([%d.]+)%s*$"))
  if not last then
    return
  end
  local connect = ngx.var.upstream_connect_time
  local rtt = (connect and tonumber(connect:match("([%d.]+)%s*$")) or 0) + last
  local key = self.prefix .. peer.key
  local now = ngx.now()
  local weight = math.exp(-math.max(now - (touched:get(key) or 0), 0) / decay_seconds)
  averages:set(key, (averages:get(key) or 0) * weight + rtt * (1 - weight))
  touched:set(key, now)
end

return _M
