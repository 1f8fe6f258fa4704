-- The affinity cookie: `<endpoint key>|<backend key>`. Reading it, and writing it where the rules ask for it.

local _M = {}

-- Key of the endpoint and of the backend that the request's cookie names.
function _M.read(backend)
  local settings = backend.affinity
  if not settings then
    return nil
  end
  local value = ngx.var["cookie_" .. settings.name]
  if not value then
    return nil
  end
  local endpoint_key, backend_key = value:match("^([^|]*)|(.*)$")
  return endpoint_key or value, backend_key
end

-- Whether the request's cookie names this backend.
function _M.names(backend)
  local _, backend_key = _M.read(backend)
  return backend_key ~= nil and backend_key == backend.key
end

-- The cookie is set only on hosts and paths of Ingresses that asked for affinity.
local function is_wanted(settings)
  local locations = settings.locations
  if not locations then
    return false
  end
  local served = ngx.var.serving_name or ngx.var.server_name
  local host = served == "_" and "_" or ngx.var.host
  local paths = locations[host] or locations[(host:gsub("^[^.]+%.", "*.", 1))]
  if not paths then
    return false
  end
  local location_path = ngx.var.location_path
  for _, path in ipairs(paths) do
    if path == location_path then
      return true
    end
  end
  return false
end

-- Browsers that take `SameSite=None` for `Strict` or refuse the cookie (webkit bug 198181, Chrome 51 to 66).
local function refuses_same_site_none(agent)
  return agent ~= nil
    and (
      agent:find("Chrome/[456]") ~= nil
      or agent:find("(iP[^;]*; CPU .*OS 12[_%d]*.*)") ~= nil
      or (agent:find("Mac OS X 10_14") ~= nil and agent:find("Safari") ~= nil and agent:find("Version/") ~= nil)
    )
end

-- Sends the cookie that names this endpoint, if the location wants one.
function _M.write(backend, endpoint_key)
  local settings = backend.affinity
  if not is_wanted(settings) then
    return
  end
  local parts = { settings.name .. "=" .. endpoint_key .. "|" .. backend.key }
  local function add(text)
    parts[#parts + 1] = text
  end
  if settings.expires then
    add("Expires=" .. ngx.cookie_time(ngx.time() + settings.expires))
  end
  if settings.maxAge then
    add("Max-Age=" .. settings.maxAge)
  end
  if settings.domain and settings.domain ~= "" then
    add("Domain=" .. settings.domain)
  end
  add("Path=" .. (settings.path and settings.path ~= "" and settings.path or ngx.var.location_path))
  local secure = settings.secure
  if secure == nil then
    secure = ngx.var.https == "on"
  end
  if secure then
    add("Secure")
  end
  add("HttpOnly")
  local same_site = settings.sameSite
  if same_site and same_site ~= "" then
    local is_none = same_site:lower() == "none"
    if not (is_none and settings.conditionalSameSiteNone and refuses_same_site_none(ngx.var.http_user_agent)) then
      add("SameSite=" .. same_site)
    end
  end
  -- Before the backend's own headers arrive: theirs are added to it, and a further try replaces it.
  ngx.header["Set-Cookie"] = table.concat(parts, "; ")
end

return _M
