-- Takes a push of routes so that it counts as a whole or not at all: entries are staged beside the settled ones, one key
-- is switched, then they are settled. A worker that dies in between leaves what the next push cleans up.

local cjson = require("cjson.safe")

local dict = ngx.shared.route_table

local _M = {}

local function settle_one(name)
  local text, stamp = dict:get("next:" .. name)
  if text == "" then
    dict:delete("host:" .. name)
  elseif text and not dict:safe_set("host:" .. name, text, 0, stamp) then
    -- There is no room for both: the staged one goes on counting.
    return
  end
  dict:delete("next:" .. name)
end

local function each_key(prefix, visit)
  for _, key in ipairs(dict:get_keys(0)) do
    if key:sub(1, #prefix) == prefix then
      visit(key:sub(#prefix + 1))
    end
  end
end

-- What a push that never ended has left: what counts already is settled, the rest goes.
local function clean_up()
  local version = dict:get("version") or 0
  each_key("next:", function(name)
    local _, stamp = dict:get("next:" .. name)
    if stamp and stamp <= version then
      settle_one(name)
    else
      dict:delete("next:" .. name)
    end
  end)
end

-- The text that counts now.
local function current(name)
  local text = dict:get("next:" .. name)
  if text then
    return text ~= "" and text or nil
  end
  return dict:get("host:" .. name)
end

local function stage(hosts, is_whole, version)
  local staged = {}
  local function put(name, text)
    if (current(name) or "") == text then
      return
    end
    local ok, err = dict:safe_set("next:" .. name, text, 0, version)
    if not ok then
      return err
    end
    staged[#staged + 1] = name
  end
  for name, text in pairs(hosts) do
    local err = put(name, text == cjson.null and "" or text)
    if err then
      return staged, err
    end
  end
  if is_whole then
    each_key("host:", function(name)
      if hosts[name] == nil then
        put(name, "")
      end
    end)
  end
  return staged
end

-- The first push of an nginx: nothing counts before there is a version, so nothing has to be staged.
local function take_first(hosts)
  for name, text in pairs(hosts) do
    if text ~= cjson.null then
      local ok, err = dict:safe_set("host:" .. name, text, 0, 1)
      if not ok then
        return err
      end
    end
  end
  each_key("host:", function(name)
    if hosts[name] == nil or hosts[name] == cjson.null then
      dict:delete("host:" .. name)
    end
  end)
  dict:set("version", 1)
end

local function take(body)
  local before = dict:get("version")
  if not before then
    return take_first(body.hosts)
  end
  if dict:get("staging") then
    clean_up()
  end
  local version = before + 1
  dict:set("staging", true)
  local staged, err = stage(body.hosts, body.whole, version)
  if err then
    clean_up()
    dict:delete("staging")
    return err
  end
  dict:set("version", version)
  for i = 1, #staged do
    settle_one(staged[i])
  end
  dict:delete("staging")
end

-- Takes `body.hosts`: name to text, or null to remove; with `whole` everything else goes. The answer is an error text.
function _M.take(body)
  -- Two at a time would count as one version.
  if not dict:add("lock", true, 5) then
    return "another push is under way"
  end
  local err = take(body)
  dict:delete("lock")
  return err
end

-- The table that counts: name to text.
function _M.table()
  local hosts = {}
  local function add(name)
    hosts[name] = current(name)
  end
  each_key("host:", add)
  each_key("next:", add)
  return hosts
end

return _M
