-- A consistent hash ring (ketama): each node has many points on a circle, a key belongs to the next point.
-- Adding or removing one of n nodes moves about 1/n of the keys.

local crc32 = ngx.crc32_long

local _M = {}
_M.__index = _M

local points_per_node = 160

-- `nodes` is a list of {key, value}.
function _M.new(nodes)
  local points = {}
  for _, node in ipairs(nodes) do
    for i = 1, points_per_node do
      points[#points + 1] = { crc32(node.key .. "\0" .. i), node }
    end
  end
  table.sort(points, function(a, b)
    if a[1] ~= b[1] then
      return a[1] < b[1]
    end
    return a[2].key < b[2].key
  end)
  return setmetatable({ points = points }, _M)
end

-- The node of a key.
function _M:find(key)
  local points = self.points
  local hash = crc32(key)
  local low, high = 1, #points + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if points[middle][1] < hash then
      low = middle + 1
    else
      high = middle
    end
  end
  return points[low > #points and 1 or low][2]
end

return _M
