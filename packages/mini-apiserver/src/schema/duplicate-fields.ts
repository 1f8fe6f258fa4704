// Finds keys that a JSON text repeats in one object; `JSON.parse` keeps the last one without a word.

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

interface Level {
  readonly path: string
  readonly keys: Set<string> | undefined
  index: number
  key: string
}

/** Paths of repeated keys (`data.a`, `spec.ports[1].name`) in a text that `JSON.parse` accepts. */
export function duplicateFields(text: string): string[] {
  const found: string[] = []
  const levels: Level[] = []
  let expectsKey = false
  for (const [word] of text.matchAll(token)) {
    const level = levels.at(-1)
    if (word === '{' || word === '[') {
      levels.push({
        path: level ? childPath(level) : '',
        keys: word === '{' ? new Set() : undefined,
        index: 0,
        key: '',
      })
      expectsKey = word === '{'
    } else if (word === '}' || word === ']') {
      levels.pop()
      expectsKey = false
    } else if (word === ',') {
      if (level) level.index++
      expectsKey = level?.keys !== undefined
    } else if (word === ':') {
      expectsKey = false
    } else if (expectsKey && level?.keys) {
      level.key = JSON.parse(word) as string
      if (level.keys.has(level.key)) found.push(childPath(level))
      level.keys.add(level.key)
    }
  }
  return [...new Set(found)]
}

function childPath({ path, keys, index, key }: Level): string {
  if (keys === undefined) return `${path}[${index}]`
  return path === '' ? key : `${path}.${key}`
}
