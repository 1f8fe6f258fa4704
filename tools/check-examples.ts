// Holds the examples to what they say: programs in `examples/` print their `expected.txt`, TypeScript in Markdown
// compiles with the house's settings, and prints the `text` block behind it if there is one; an `expected.txt` that begins
// with `$ ` is a session of commands.
// `tsx tools/check-examples.ts [--update]`; `--update` rewrites `expected.txt`.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleEntry, executables } from './bundle-entry.mjs'
import { type CodeBlock, extractCode } from './extract-code.ts'
import { isSession, runSession } from './run-session.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Inside `test`, because that package depends on everything an example may import. */
const scratch = join(root, `test/node_modules/.cache/examples-${process.pid}`)
/** What the output of a program that failed begins with. */
const failure = 'the program failed: '
const isUpdate = process.argv.includes('--update')
const faults: string[] = []

rmSync(scratch, { recursive: true, force: true })
mkdirSync(scratch, { recursive: true })
const blocks = markdownFiles().flatMap((file) => extractCode(file, readFileSync(join(root, file), 'utf8')))
const programs = blocks.filter((block) => !block.isFragment)
compile(programs)
for (const [at, block] of programs.entries()) await runBlock(block, at)
const topics = await runExamples()
const sessions = await runSessions()
rmSync(scratch, { recursive: true, force: true })
for (const fault of faults) console.log(fault)
const fragments = blocks.length - programs.length
console.log(
  `${programs.length} programs in Markdown (and ${fragments} fragments), ${topics} examples, ${sessions} sessions, ${faults.length} faults`,
)
process.exitCode = faults.length > 0 ? 1 : 0

/** Type-checks all blocks at once; messages name the page and line. */
function compile(some: readonly CodeBlock[]): void {
  for (const [at, { code }] of some.entries()) writeFileSync(join(scratch, `block-${at}.ts`), `${code}\nexport {}\n`)
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      composite: false,
      incremental: false,
      isolatedDeclarations: false,
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
      noUnusedLocals: false,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: some.map((_, at) => `block-${at}.ts`),
  }
  if (some.length === 0) return
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config))
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', scratch, '--pretty', 'false'], { encoding: 'utf8' })
  for (const line of tsc.stdout.split('\n')) {
    const [, at, inBlock, message] = line.match(/block-(\d+)\.ts\((\d+),\d+\): (.*)/) ?? []
    const block = some[Number(at)]
    if (at !== undefined && block !== undefined)
      faults.push(`${block.file}:${block.line + Number(inBlock) - 1}: ${message}`)
    else if (/error/.test(line)) faults.push(line)
  }
}

/** Runs a block that says what it prints. */
async function runBlock(block: CodeBlock, at: number): Promise<void> {
  if (block.output === undefined) return
  const found = await outputOf(join(scratch, `block-${at}.ts`), join(scratch, `out-${at}`), root)
  compare(`${block.file}:${block.line}`, block.output, found)
}

/** Runs every example that is a program; gives their number. */
async function runExamples(): Promise<number> {
  const topicsDir = join(root, 'examples')
  const names = existsSync(topicsDir)
    ? readdirSync(topicsDir).filter((name) => existsSync(join(topicsDir, name, 'main.ts')))
    : []
  for (const name of names) {
    const dir = join(topicsDir, name)
    const found = await outputOf(join(dir, 'main.ts'), join(scratch, `example-${name}`), dir)
    const file = join(dir, 'expected.txt')
    if (isUpdate && !found.startsWith(failure)) writeFileSync(file, found)
    compare(`examples/${name}`, existsSync(file) ? readFileSync(file, 'utf8') : '', found)
  }
  return names.length
}

/** Runs every example that is a session of commands, two at a time; gives their number. */
async function runSessions(): Promise<number> {
  const names = readdirSync(join(root, 'examples')).filter((name) => {
    const file = join(root, 'examples', name, 'expected.txt')
    return existsSync(file) && isSession(readFileSync(file, 'utf8'))
  })
  const kubewire = await bundleEntry(executables.kubewire.entry, join(scratch, 'kubewire'))
  const queue = [...names]
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const dir = join(root, 'examples', name)
      const file = join(dir, 'expected.txt')
      const wanted = readFileSync(file, 'utf8')
      const found = await runSession(wanted, { cwd: dir, scratch: join(scratch, `session-${name}`), kubewire })
      if (isUpdate) writeFileSync(file, found)
      else compare(`examples/${name}`, wanted, found)
    }
  }
  await Promise.all([work(), work()])
  return names.length
}

async function outputOf(entry: string, outDir: string, cwd: string): Promise<string> {
  try {
    const file = await bundleEntry(entry, outDir)
    const run = spawnSync(process.execPath, [file], { cwd, encoding: 'utf8', timeout: 30_000 })
    return run.status === 0 ? run.stdout : `${failure}exit status ${run.status}\n${run.stdout}${run.stderr}`
  } catch (error) {
    return `${failure}${String(error)}`
  }
}

function compare(place: string, wanted: string, found: string): void {
  if (wanted.trimEnd() === found.trimEnd()) return
  faults.push(`${place}: prints something else\n--- wanted\n${wanted}--- found\n${found}`)
}

/** Pages for readers; case folders of the conformance suites and reports of what packages offer are none. */
function markdownFiles(): readonly string[] {
  const below = (dir: string): string[] =>
    readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
      const path = dir === '.' ? entry.name : `${dir}/${entry.name}`
      if (entry.isDirectory())
        return /^(node_modules|dist|bundle|cases|\.git|\.changeset)$/.test(entry.name) ? [] : below(path)
      return /(?<!\.api)\.md$/.test(entry.name) ? [path] : []
    })
  return below('.').sort()
}
