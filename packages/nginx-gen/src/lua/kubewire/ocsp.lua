-- OCSP stapling: the answer of the certificate's responder goes along with the handshake. It is asked for when a
-- certificate is first served, and remembered for three days; a handshake never waits for it.

local ocsp = require("ngx.ocsp")
local ssl = require("ngx.ssl")

local answers = ngx.shared.ocsp_response_cache

local keep_seconds = 3 * 24 * 60 * 60
-- After a failure, or while somebody asks.
local pause_seconds = 300
local most_bytes = 64 * 1024

local _M = {}

-- Body of the responder's answer, or nil and why not.
local function post(url, body)
  local host, port, path = url:match("^http://([^/:]+):?(%d*)(.*)$")
  if not host then
    return nil, "the responder " .. url .. " is no http URL"
  end
  local socket = ngx.socket.tcp()
  socket:settimeouts(2000, 2000, 5000)
  local ok, err = socket:connect(host, tonumber(port) or 80)
  if not ok then
    return nil, err
  end
  local _, send_err = socket:send({
    "POST " .. (path == "" and "/" or path) .. " HTTP/1.0\r\nHost: " .. host .. "\r\n",
    "Content-Type: application/ocsp-request\r\nContent-Length: " .. #body .. "\r\n\r\n",
    body,
  })
  if send_err then
    return nil, send_err
  end
  local status = socket:receive()
  if not status or not status:find("^HTTP/1%.%d 200") then
    return nil, "the responder answers " .. (status or "nothing")
  end
  local length
  for _ = 1, 100 do
    local line = socket:receive()
    if not line or line == "" then
      break
    end
    length = tonumber(line:lower():match("^content%-length:%s*(%d+)")) or length
  end
  if length and length > most_bytes then
    return nil, "the answer is too long"
  end
  local text, receive_err, part = socket:receive(length or most_bytes)
  socket:close()
  return text or (not length and part) or nil, receive_err
end

local function fetch(_, id, pem)
  local chain, err = ssl.cert_pem_to_der(pem)
  local url = chain and ocsp.get_ocsp_responder_from_der_chain(chain, 1024)
  if not url then
    -- Self-signed ones and many others name none.
    return
  end
  local question, answer
  question, err = ocsp.create_ocsp_request(chain, 4096)
  if question then
    answer, err = post(url, question)
  end
  local is_good = false
  if answer then
    is_good, err = ocsp.validate_ocsp_response(answer, chain, 256)
  end
  if not is_good then
    ngx.log(ngx.WARN, "certificate ", id, " is served without an OCSP answer of ", url, ": ", err)
    return
  end
  answers:set(id, answer, keep_seconds)
end

-- Staples the answer for the certificate of this handshake, or sets out to fetch it for later ones.
function _M.staple(id, pem)
  local answer = answers:get(id)
  if answer then
    if answer ~= "" then
      local _, err = ocsp.set_ocsp_status_resp(answer)
      if err and err ~= "no ocsp status req" then
        ngx.log(ngx.ERR, "the OCSP answer for certificate ", id, " cannot be set: ", err)
      end
    end
    return
  end
  -- One worker asks, the others wait for what it finds.
  if pem and answers:add(id, "", pause_seconds) then
    ngx.timer.at(0, fetch, id, pem)
  end
end

return _M
