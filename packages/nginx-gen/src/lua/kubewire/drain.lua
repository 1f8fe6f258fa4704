-- Ends connections of clients before a reload does. An nginx that is told to end closes every connection that waits for
-- its next request, and a client that has just sent one sees a reset. So shortly before, and in workers that are ending,
-- each answer tells the client that this connection is over; it opens another, in which no request is lost.
-- HTTP/2 has a word of its own for that (GOAWAY), which nginx says by itself.

local configuration = ngx.shared.configuration_data
local exiting = ngx.worker.exiting
local http_version = ngx.req.http_version
local now = ngx.now

local until_time

local _M = {}

-- Reads again until when; asked whenever the version of the pushed data has changed.
function _M.refresh()
  until_time = configuration:get("drain_until")
end

-- From now on, for some seconds.
function _M.start(seconds)
  configuration:set("drain_until", now() + seconds, seconds)
  configuration:incr("version", 1, 0)
end

-- Puts the word into the headers of this request's answer while it is time.
function _M.announce()
  if until_time and now() > until_time then
    until_time = nil
  end
  if (until_time or exiting()) and http_version() < 2 then
    ngx.header["Connection"] = "close"
  end
end

return _M
