-- The value of a hash expression: text with `$name` and `${name}` taken from nginx variables.

local _M = {}

-- Parses the expression once into parts: texts, and tables that name a variable.
function _M.compile(expression)
  local parts = {}
  local at = 1
  while at <= #expression do
    local from, to, open, name, close = expression:find("%$({?)([%w_]+)(}?)", at)
    if not from then
      parts[#parts + 1] = expression:sub(at)
      break
    end
    if from > at then
      parts[#parts + 1] = expression:sub(at, from - 1)
    end
    parts[#parts + 1] = { name }
    -- A closing brace belongs to the name only where one was opened.
    at = (open == "" and close ~= "") and to or to + 1
  end
  return parts
end

-- Where hosts are data, the name of the server is that of the router.
local function value_of(name)
  return name == "server_name" and ngx.var.serving_name or ngx.var[name] or ""
end

-- The text for this request; unknown variables count as empty.
function _M.value(parts)
  local texts = {}
  for i, part in ipairs(parts) do
    texts[i] = type(part) == "table" and value_of(part[1]) or part
  end
  return table.concat(texts)
end

return _M
