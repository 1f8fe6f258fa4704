-- Request metrics: each worker collects its requests and sends them once a second, one JSON line per batch, to the
-- daemon's unix socket. Requests beyond the batch limit of a second are dropped, as the original does.

local cjson = require("cjson.safe")

local batch, count = {}, 0
local limit = 0

local _M = {}

local function number(text)
  return tonumber(text) or -1
end

-- Sum of nginx's comma and colon separated times or sizes of all tries, the last one for times.
local function last_number(text)
  return text and tonumber(text:match("([%d.]+)[^%d.]*$")) or -1
end

-- Whether a request is one of a location of the model: no question to an authentication service, no copy, nothing of
-- servers that are not for clients. A body that is too large is refused before the location says its path.
local function is_counted(var)
  if ngx.is_subrequest then
    return false
  end
  local path = var.location_path
  return path ~= nil and path ~= "" or var.status == "413"
end

-- Notes the request that ends here; nothing happens while the timer was not started. Positions are known to the daemon's metrics reader.
function _M.note()
  if count >= limit then
    return
  end
  local var = ngx.var
  if not is_counted(var) then
    return
  end
  count = count + 1
  batch[count] = {
    var.host or "-",
    var.namespace or "",
    var.ingress_name or "",
    var.service_name or "",
    var.proxy_alternative_upstream_name or "",
    var.location_path or "",
    var.request_method or "",
    var.status or "",
    number(var.request_length),
    number(var.request_time),
    last_number(var.upstream_connect_time),
    last_number(var.upstream_header_time),
    last_number(var.upstream_response_time),
    last_number(var.upstream_response_length),
    number(var.bytes_sent),
  }
end

local function flush()
  if count == 0 then
    return
  end
  local full, size = batch, count
  batch, count = {}, 0
  local socket = ngx.socket.tcp()
  socket:settimeouts(200, 500, 500)
  local ok, err = socket:connect("unix:" .. ngx.config.prefix() .. "metrics.sock")
  if not ok then
    ngx.log(ngx.WARN, size, " requests are not counted, the metrics socket is not there: ", err)
    return
  end
  local _, send_err = socket:send(cjson.encode(full) .. "\n")
  if send_err then
    ngx.log(ngx.WARN, size, " requests are not counted: ", send_err)
  end
  socket:close()
end

-- Starts the timer of this worker.
function _M.start(max_batch_size)
  limit = max_batch_size
  local _, err = ngx.timer.every(1, function()
    flush()
  end)
  if err then
    ngx.log(ngx.ERR, "request metrics are off: ", err)
  end
end

-- Sends what is left when the worker ends.
_M.flush = flush

return _M
