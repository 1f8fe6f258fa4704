// Finds the end of the Lua code of a `*_by_lua_block`: strings, comments and long brackets may hold braces.
// Source: Lua 5.1 manual §2.1; lua-nginx-module ngx_http_lua_lex.

/** Offset of the `}` that closes the block whose code begins at `from`; -1 when there is none. */
export function endOfLua(text: string, from: number): number {
  let depth = 1
  let at = from
  while (at < text.length) {
    const skipped = skipLuaText(text, at)
    if (skipped > at) {
      at = skipped
      continue
    }
    const c = text[at]
    if (c === '{') depth++
    if (c === '}' && --depth === 0) return at
    at++
  }
  return -1
}

// Past a comment, string or long bracket that starts at `at`; `at` itself where none does.
function skipLuaText(text: string, at: number): number {
  if (text.startsWith('--', at)) {
    const long = longBracket(text, at + 2)
    if (long > 0) return long
    const end = text.indexOf('\n', at)
    return end === -1 ? text.length : end + 1
  }
  const c = text[at]
  if (c === '"' || c === "'") return endOfString(text, at, c)
  if (c === '[') return longBracket(text, at) || at
  return at
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

// Offset behind `[==[ … ]==]`, 0 where no long bracket opens.
function longBracket(text: string, at: number): number {
  const open = /^\[(=*)\[/.exec(text.slice(at, at + 32))
  if (open === null) return 0
  const close = text.indexOf(`]${open[1]}]`, at + open[0].length)
  return close === -1 ? text.length : close + open[0].length
}
