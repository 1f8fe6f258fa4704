-- The control socket: takes backends, certificates and routes as JSON, whole or as changes, and puts them into the shared
-- dictionaries. Reachable only through a unix socket in a directory that nobody else may enter.

local cjson = require("cjson.safe")
local drain = require("kubewire.drain")
local stage_routes = require("kubewire.stage_routes")

local configuration = ngx.shared.configuration_data
local pems = ngx.shared.certificate_data
local hosts = ngx.shared.certificate_servers

local _M = {}

local function answer(status, text)
  ngx.status = status
  ngx.print(text or "")
  return ngx.exit(status)
end

local function read_body()
  ngx.req.read_body()
  local data = ngx.req.get_body_data()
  if data then
    return data
  end
  local name = ngx.req.get_body_file()
  local file = name and io.open(name, "rb")
  if not file then
    return nil
  end
  data = file:read("*a")
  file:close()
  return data
end

-- Puts `entries` (text, or null to remove) under `prefix`; with `is_whole` everything else of the prefix goes.
local function apply(dict, prefix, entries, is_whole)
  for name, value in pairs(entries) do
    if value == cjson.null then
      dict:delete(prefix .. name)
    else
      local ok, err = dict:safe_set(prefix .. name, value)
      if not ok then
        return err
      end
    end
  end
  if is_whole then
    for _, key in ipairs(dict:get_keys(0)) do
      if key:sub(1, #prefix) == prefix and entries[key:sub(#prefix + 1)] == nil then
        dict:delete(key)
      end
    end
  end
end

local function take_backends(body)
  local err = apply(configuration, "backend:", body.backends, body.whole)
  if err then
    return err
  end
  configuration:incr("version", 1, 0)
  if body.whole then
    configuration:set("initialized", true)
  end
end

local function take_certificates(body)
  -- Contents before names: a name never points at nothing.
  local err = apply(pems, "", body.certificates, false)
    or apply(hosts, "", body.servers, body.whole)
    or (body.whole and apply(pems, "", body.certificates, true))
    or nil
  configuration:incr("version", 1, 0)
  return err
end

local function take_drain(body)
  drain.start(tonumber(body.seconds) or 0)
end

-- Counts starts and reloads: once per generation of workers.
function _M.note_start()
  if ngx.worker.id() == 0 then
    configuration:incr("generation", 1, 0)
  end
end

-- Which of these expressions the router cannot use, each with why.
local function refused_patterns(patterns)
  local refused = {}
  for _, pattern in ipairs(patterns) do
    local _, _, err = ngx.re.find("", pattern, "ij")
    if err then
      refused[pattern] = err
    end
  end
  return refused
end

local takers = {
  ["/configuration/backends"] = take_backends,
  ["/configuration/routes"] = stage_routes.take,
  ["/configuration/servers"] = take_certificates,
  ["/drain"] = take_drain,
}

-- Whose pushes are taken; a POST makes it the caller: of two controllers the later one counts.
local function owner()
  if ngx.req.get_method() == "POST" then
    return answer(201, tostring(configuration:incr("owner", 1, 0)))
  end
  return answer(200, tostring(configuration:get("owner") or 0))
end

-- Everything under `/`: POST of the two kinds of data, and two questions: have backends arrived, how many starts.
function _M.handle()
  local uri = ngx.var.uri
  if uri == "/is-dynamic-lb-initialized" then
    return answer(configuration:get("initialized") and 200 or 503)
  end
  if uri == "/generation" then
    return answer(200, tostring(configuration:get("generation") or 0))
  end
  if uri == "/owner" then
    return owner()
  end
  if uri == "/configuration/routes" and ngx.req.get_method() == "GET" then
    return answer(200, cjson.encode(stage_routes.table()))
  end
  if uri == "/patterns" then
    local question = cjson.decode(read_body() or "")
    return answer(200, cjson.encode(refused_patterns(type(question) == "table" and question or {})))
  end
  local take = takers[uri]
  if not take then
    return answer(404)
  end
  if ngx.req.get_method() ~= "POST" then
    return answer(405)
  end
  local text = read_body()
  local body = text and cjson.decode(text)
  if type(body) ~= "table" then
    return answer(400, "expected JSON")
  end
  if body.owner and body.owner ~= configuration:get("owner") then
    return answer(409, "another controller has taken over")
  end
  local err = take(body)
  if err then
    ngx.log(ngx.ERR, "pushed data does not fit into its dictionary: ", err)
    return answer(507, err)
  end
  return answer(201)
end

return _M
