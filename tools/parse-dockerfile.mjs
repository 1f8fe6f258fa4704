// The last stage of our own Dockerfiles as data. Knows the instructions that they use and refuses every other, so that
// what is tested without a container engine is what an engine would build.

/**
 * @typedef {{ kind: 'run', command: string } | { kind: 'copy', from: string | undefined, source: string, target: string }} Step
 * @typedef {{ user: string, entrypoint: string[], cmd: string[], environment: Record<string, string> }} Facts
 */

/**
 * @param {string} text - a Dockerfile
 * @returns {{ release: string, steps: Step[], facts: Facts }} `release`: Debian's, from the name of the base image
 */
export function parseDockerfile(text) {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const last = lines.findLastIndex((line) => line.startsWith('FROM '))
  const release = /-(bookworm|trixie)(?:-slim)?$/.exec(lines[last] ?? '')?.[1]
  if (release === undefined) throw new Error('the base image is not named by a Debian release')
  /** @type {Step[]} */
  const steps = []
  const facts = { user: '0:0', entrypoint: [], cmd: [], environment: {} }
  for (const line of lines.slice(last + 1)) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (line.trim() === '' || instruction === 'EXPOSE') continue
    if (instruction === 'RUN') steps.push({ kind: 'run', command: rest })
    else if (instruction === 'COPY') steps.push(parseCopy(rest))
    else if (instruction === 'USER') facts.user = rest
    else if (instruction === 'ENTRYPOINT') facts.entrypoint = JSON.parse(rest)
    else if (instruction === 'CMD') facts.cmd = JSON.parse(rest)
    else if (instruction === 'ENV') Object.assign(facts.environment, parseEnv(rest))
    else throw new Error(`an instruction that is not known here: ${line}`)
  }
  return { release, steps, facts }
}

/** One `NAME=VALUE`; quotes around the value are the file's, not the variable's. */
function parseEnv(rest) {
  const { name, quoted, plain } = /^(?<name>\w+)=(?:"(?<quoted>[^"\\]*)"|(?<plain>[^\s"]+))$/.exec(rest)?.groups ?? {}
  if (name === undefined) throw new Error(`an ENV that is not known here: ${rest}`)
  return { [name]: quoted ?? plain }
}

/** @returns {Step} */
function parseCopy(rest) {
  const { from, source, target } = /^(?:--from=(?<from>\S+) )?(?<source>\S+) (?<target>\S+)$/.exec(rest)?.groups ?? {}
  if (source === undefined || target === undefined) throw new Error(`a COPY that is not known here: ${rest}`)
  return { kind: 'copy', from, source, target }
}
