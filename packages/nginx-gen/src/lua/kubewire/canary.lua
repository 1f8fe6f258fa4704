-- Main or canary for one request: affinity cookie, header, cookie, weight; the first that decides.

local affinity = require("kubewire.affinity")
local backends = require("kubewire.backends")

local _M = {}

local function header_decides(policy)
  if not policy.header or policy.header == "" then
    return nil
  end
  local value = ngx.var["http_" .. policy.header:lower():gsub("-", "_")]
  if not value then
    return nil
  end
  if policy.headerValue and policy.headerValue ~= "" then
    if value == policy.headerValue then
      return true
    end
    return nil
  end
  if policy.headerPattern and policy.headerPattern ~= "" then
    local from, _, err = ngx.re.find(value, policy.headerPattern, "o")
    if err then
      ngx.log(ngx.ERR, "canary header pattern of a backend does not compile: ", err)
      return false
    end
    if from then
      return true
    end
    return nil
  end
  if value == "always" then
    return true
  end
  if value == "never" then
    return false
  end
  return nil
end

local function cookie_decides(policy)
  if not policy.cookie or policy.cookie == "" then
    return nil
  end
  local value = ngx.var["cookie_" .. policy.cookie]
  if value == "always" then
    return true
  end
  if value == "never" then
    return false
  end
  return nil
end

local function goes_to_canary(main, alternative)
  if affinity.names(main) then
    return false
  end
  if affinity.names(alternative) then
    return true
  end
  local policy = alternative.canary
  if not policy then
    return false
  end
  local decided = header_decides(policy)
  if decided == nil then
    decided = cookie_decides(policy)
  end
  if decided ~= nil then
    return decided
  end
  return math.random(policy.weightTotal or 100) <= (policy.weight or 0)
end

-- The backend that serves this request.
function _M.choose(main)
  if not main.alternative then
    return main
  end
  local alternative = backends.get(main.alternative)
  if not alternative or not goes_to_canary(main, alternative) then
    return main
  end
  ngx.var.proxy_alternative_upstream_name = alternative.name
  return alternative
end

return _M
