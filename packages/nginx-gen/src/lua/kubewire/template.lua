-- Texts with nginx variables and groups of a pattern, taken apart by the controller (routes/template.ts of nginx-gen).

local concat = table.concat

local _M = {}

-- The joined text; a part is a text, { variable = name } or { group = number }.
function _M.fill(parts, groups)
  local texts = {}
  for i = 1, #parts do
    local part = parts[i]
    if type(part) == "table" then
      if part.variable then
        texts[i] = ngx.var[part.variable] or ""
      else
        texts[i] = groups and groups[part.group] or ""
      end
    else
      texts[i] = part
    end
  end
  return concat(texts)
end

return _M
