-- A question to an authentication service over connections that stay: nginx keeps none for those of its own module.
-- Only 200 lets the request pass; 401 and 403 are passed on, everything else is an error of the service.

local _M = {}

local function first_of(value)
  return type(value) == "table" and value[1] or value
end

function _M.ask()
  local var = ngx.var
  local answer = ngx.location.capture(var.auth_path, {
    method = ngx.HTTP_GET,
    body = "",
    share_all_vars = var.auth_shares_variables == "true",
  })
  if answer.status == ngx.HTTP_UNAUTHORIZED or answer.status == ngx.HTTP_FORBIDDEN then
    return ngx.exit(answer.status)
  end
  if answer.status ~= ngx.HTTP_OK then
    return ngx.exit(ngx.HTTP_INTERNAL_SERVER_ERROR)
  end
  var.auth_cookie = first_of(answer.header["Set-Cookie"])
  local at = 0
  for name in var.auth_response_headers:gmatch("[^,]+") do
    var["auth_header_" .. at] = first_of(answer.header[name])
    at = at + 1
  end
end

return _M
