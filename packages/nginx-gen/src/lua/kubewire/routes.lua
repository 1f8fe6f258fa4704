-- The table of routes as this worker knows it: an entry per host name in the shared dictionary, decoded when it is first
-- asked for and again when it changed. A push is seen as a whole or not at all: new entries wait under names of their own
-- until one key, the version, says that they count (control.lua).

local cjson = require("cjson.safe")
local exiting = ngx.worker.exiting

local dict = ngx.shared.route_table
local now = ngx.now
local seen_version, seen_at

-- What a host has none of is not written (routes/table.ts of nginx-gen). Thousands of entries in turn cost cache lines: an
-- entry has no field for it.
local none = {}
local empty_parts = { redirects = none, exact = none, prefix = none, odd = none, patterns = none }
local host_entry = { __index = empty_parts }

-- Decoded entries in two generations: what nobody asks for while the younger one fills up is forgotten.
local most_hosts = 20000
local young, old, count = {}, {}, 0

local _M = {}

local function remember(name, entry)
  if count >= most_hosts then
    young, old, count = {}, young, 0
  end
  young[name] = entry
  count = count + 1
end

local function known(name)
  local entry = young[name]
  if entry then
    return entry
  end
  entry = old[name]
  if entry then
    old[name] = nil
    remember(name, entry)
  end
  return entry
end

-- Text and version of a host's entry: the staged one once its version counts, else the settled one.
local function read(name, version)
  local text, stamp = dict:get("next:" .. name)
  if text and stamp <= version then
    return text ~= "" and text or nil, stamp
  end
  return dict:get("host:" .. name)
end

-- Version of the table, looked up once in a millisecond; nil before the first push.
function _M.version()
  local time = now()
  if time ~= seen_at then
    seen_at = time
    seen_version = dict:get("version")
  end
  return seen_version
end

-- The entry of exactly this name, or nil.
function _M.get(name, version)
  local entry = known(name)
  -- A worker on its way out stays with what fits its own configuration.
  if entry and (entry.version == version or exiting()) then
    return entry
  end
  local text, stamp = read(name, version)
  if not text then
    young[name] = nil
    return nil
  end
  if entry and entry.stamp == stamp then
    entry.version = version
    return entry
  end
  entry = cjson.decode(text)
  if not entry then
    ngx.log(ngx.ERR, "the routes of ", name, " cannot be read")
    return nil
  end
  if entry.kind == "host" then
    setmetatable(entry, host_entry)
  end
  entry.version, entry.stamp = version, stamp
  remember(name, entry)
  return entry
end

return _M
