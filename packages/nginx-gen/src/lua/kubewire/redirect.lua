-- The redirect from http to https, decided per request: a certificate may come and go without a reload.

local certificates = require("kubewire.certificates")

local _M = {}

-- Answers with the redirect where the location wants one; returns otherwise. `version` is that of the pushed data.
function _M.to_https(version)
  local var = ngx.var
  local wish = var.ssl_redirect
  if not wish or wish == "off" or wish == "" or var.pass_access_scheme ~= "http" then
    return
  end
  if wish == "tls" and not certificates.is_registered(var.host, version) then
    return
  end
  local host = ngx.var.best_http_host or ngx.var.host
  -- Without the port; an IPv6 address keeps its brackets.
  host = host:match("^(%[[^%]]*%])") or host:match("^([^:]*)")
  local uri = ngx.var.request_uri
  -- COMPAT: the closing slash of the URI is dropped unless the Ingress asks to keep it.
  if ngx.var.redirect_slash ~= "keep" and uri:byte(-1) == 47 then
    uri = uri:sub(1, -2)
  end
  local port = ngx.var.redirect_port
  local target = "https://" .. host .. (port and port ~= "" and ":" .. port or "") .. uri
  return ngx.redirect(target, tonumber(ngx.var.redirect_code) or 308)
end

return _M
