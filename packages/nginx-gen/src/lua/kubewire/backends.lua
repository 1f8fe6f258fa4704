-- Backends as this worker knows them: one key per backend in the shared dictionary, decoded when it is first asked
-- for and again when it changed. A version number tells in one lookup whether anything changed at all.

local cjson = require("cjson.safe")
local drain = require("kubewire.drain")
local endpoint_pickers = {
  chash = require("kubewire.hash_ring"),
  chashsubset = require("kubewire.hash_subset"),
  ewma = require("kubewire.ewma"),
  round_robin = require("kubewire.round_robin"),
  sticky_balanced = require("kubewire.sticky_balanced"),
  sticky_persistent = require("kubewire.sticky_persistent"),
}

local dict = ngx.shared.configuration_data
local now = ngx.now
local known = {}
local seen_version, seen_at

local _M = { version_key = "version", prefix = "backend:" }

-- The version of the pushed data: one lookup tells whether anything has changed at all. Under load there are many requests
-- in a millisecond, which nginx's time counts, and one lookup for all of them.
function _M.version()
  local time = now()
  if time == seen_at then
    return seen_version
  end
  seen_at = time
  local version = dict:get("version")
  if version ~= seen_version then
    seen_version = version
    drain.refresh()
  end
  return version
end

-- The backend of that name, or nil when it is unknown or has no endpoints.
function _M.get(name, version)
  if not name or name == "" then
    return nil
  end
  version = version or _M.version()
  local entry = known[name]
  if entry and entry.version == version then
    return entry.backend
  end
  local json = dict:get("backend:" .. name)
  if entry and entry.json == json then
    entry.version = version
    return entry.backend
  end
  local backend = json and _M.build(json, entry and entry.backend)
  known[name] = json and { version = version, json = json, backend = backend } or nil
  return backend
end

-- A backend with its picker out of its JSON; `old` is what it replaces, for pickers that keep state.
function _M.build(json, old)
  local data = cjson.decode(json)
  if not data or not data.endpoints or #data.endpoints == 0 then
    return nil
  end
  local peers = {}
  for i, endpoint in ipairs(data.endpoints) do
    local port = tonumber(endpoint.port)
    local host = endpoint.address
    local key = (host:find(":", 1, true) and "[" .. host .. "]" or host) .. ":" .. endpoint.port
    -- lua-resty-core parses the host like a URL: a bare IPv6 address would lose its last group to the port.
    local dialled = host:find(":", 1, true) and "[" .. host .. "]" or host
    peers[i] = { host = host, dialled = dialled, port = port, key = key }
  end
  local kind = data.algorithm or "round_robin"
  local picker_kind = endpoint_pickers[kind] or endpoint_pickers.round_robin
  return {
    name = data.name,
    peers = peers,
    kind = kind,
    picker = picker_kind.new(peers, data, old and old.kind == kind and old.picker or nil),
    key = ngx.md5(ngx.md5(data.name) .. data.name),
    affinity = data.affinity,
    canary = data.canary,
    alternative = data.alternative,
  }
end

return _M
