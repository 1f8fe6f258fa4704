-- The router: which route takes a request, by nginx's rules for server names and locations, and the class of settings
-- that it enters. Its pure twin is routes/match.ts of nginx-gen; both read the same table.

local routes = require("kubewire.routes")
local template = require("kubewire.template")
local find_pattern = ngx.re.find
local match_pattern = ngx.re.match
local byte, sub = string.byte, string.sub

local _M = {}

-- Exact name, then the name with its first label masked, then the catch-all.
local function host_entry(host, version)
  local entry = routes.get(host, version)
  local label
  if not entry then
    label = host:match("^([%w_-]+)%.")
    entry = label and routes.get("*" .. sub(host, #label + 1), version)
  end
  if entry and entry.kind == "alias" then
    entry = routes.get(entry.of, version)
  end
  return entry or routes.get("_", version), label
end

-- The longest prefix; prefixes end in a slash, all but the odd ones.
local function longest_prefix(entry, uri, odd)
  local prefix = entry.prefix
  local last = #uri < entry.longest and #uri or entry.longest
  for i = last, 1, -1 do
    if byte(uri, i) == 47 then
      local at = prefix[sub(uri, 1, i)]
      if at then
        return odd and #odd[1] > i and odd[2] or at
      end
    end
  end
  return odd and odd[2]
end

local function first_pattern(entry, uri)
  local patterns = entry.patterns
  local low = uri:lower()
  for i = 1, #patterns do
    local one = patterns[i]
    local start = one.start
    if sub(low, 1, #start) == start and not one.is_broken then
      local from, _, err = find_pattern(uri, one.pattern, "ijo")
      if from then
        return one.route
      end
      if err then
        one.is_broken = true
        ngx.log(ngx.ERR, "a path expression of ", entry.name, " cannot be used: ", err)
      end
    end
  end
end

-- The route of a path, and whether the path lacks only its closing slash.
local function find_route(entry, uri)
  local all = entry.routes
  local at = entry.exact[uri]
  if at then
    return all[at + 1]
  end
  local odd
  for i = 1, #entry.odd do
    local one = entry.odd[i]
    if sub(uri, 1, #one[1]) == one[1] then
      odd = one
      break
    end
  end
  if byte(uri, -1) ~= 47 and not (odd and odd[1] == uri) then
    local slashed = uri .. "/"
    local route = all[(entry.prefix[slashed] or entry.exact[slashed] or -1) + 1]
    if route and route.slash then
      return route, true
    end
  end
  at = #entry.patterns > 0 and first_pattern(entry, uri) or longest_prefix(entry, uri, odd)
  return at and all[at + 1]
end

local function redirect(answer)
  return ngx.redirect(template.fill(answer.target), answer.status)
end

local function fill(var, route, uri)
  local groups
  if route.pattern then
    groups = match_pattern(uri, route.pattern, "jo")
  end
  for i = 1, #route.fill do
    local one = route.fill[i]
    var[one.variable] = template.fill(one.parts, groups)
  end
end

-- rewrite of the server of all routed hosts.
function _M.route()
  local version = routes.version()
  if not version then
    return ngx.exit(ngx.HTTP_SERVICE_UNAVAILABLE)
  end
  local var = ngx.var
  local entry, label = host_entry(var.host, version)
  if not entry then
    return ngx.exit(ngx.HTTP_NOT_FOUND)
  end
  if entry.kind == "moved" then
    return redirect(entry)
  end
  local uri = var.uri
  var.route_host = entry.name
  for i = 1, #entry.redirects do
    if entry.redirects[i].path == uri then
      return redirect(entry.redirects[i])
    end
  end
  local route, lacks_slash = find_route(entry, uri)
  if not route then
    return ngx.exit(ngx.HTTP_NOT_FOUND)
  end
  if label and byte(entry.name, 1) == 42 then
    var.subdomain = label
  end
  local set = route.set
  for i = 1, #set, 2 do
    var[set[i]] = set[i + 1]
  end
  if route.fill then
    fill(var, route, uri)
  end
  -- nginx looks at the size of the body and the missing slash when it has found a location; the class answers.
  if route.maxBody and (tonumber(var.content_length) or 0) > route.maxBody then
    var.route_too_large = "1"
  elseif lacks_slash then
    var.route_slash = route.slash .. (var.is_args or "") .. (var.args or "")
  end
  return ngx.exec(route.class)
end

return _M
