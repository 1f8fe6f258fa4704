import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createStandingProgram, type StandingProgram } from './standing-program.ts'

// Says who it is for every `who`, ends with the number after `end`, repeats `# done`, and is deaf to the rest.
const script = `
while IFS= read -r line; do
  case "$line" in
    who) echo $$ ;;
    end*) echo "refused: $line" >&2; exit "\${line#end }" ;;
    hang) kill -STOP $$ ;;
    '# done') echo "$line" ;;
  esac
done`

const shell = (more: { readonly maxTexts?: number; readonly timeoutMs?: number } = {}): StandingProgram =>
  createStandingProgram('sh', ['-c', script], { doneLine: '# done', timeoutMs: 60_000, ...more })

async function pidOf(program: StandingProgram): Promise<number> {
  return Number.parseInt((await program.feed('who\n')).stdout, 10)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a program that stays', () => {
  it('takes one text after the other in one process and counts the lines before each', async () => {
    const program = shell()
    const first = await program.feed('who\nother\n')
    const second = await program.feed('who\n')
    expect(first).toMatchObject({ isDone: true, linesBefore: 0, stderr: '' })
    expect(second).toMatchObject({ isDone: true, linesBefore: 3, stdout: first.stdout })
  })

  it('tells its status and what it said when it ends, and the next text starts another', async () => {
    const program = shell()
    const before = await pidOf(program)
    const result = await program.feed('end 4\n')
    expect(result).toMatchObject({ exitCode: 4, stderr: 'refused: end 4\n', linesBefore: 2 })
    expect(result.isDone).toBeUndefined()
    expect(await pidOf(program)).not.toBe(before)
  })

  it('is started anew when somebody killed it while nobody waited', async () => {
    const program = shell()
    const before = await pidOf(program)
    process.kill(before, 'SIGKILL')
    while (isAlive(before)) await setImmediate()
    expect(await pidOf(program)).not.toBe(before)
  })

  it('tells the signal when somebody kills it at work', async () => {
    const program = shell()
    const pid = await pidOf(program)
    const result = program.feed('hang\n')
    process.kill(pid, 'SIGKILL')
    expect(await result).toMatchObject({ exitCode: undefined, signal: 'SIGKILL' })
  })

  it('is replaced after its number of texts', async () => {
    const program = shell({ maxTexts: 2 })
    const pids = [await pidOf(program), await pidOf(program), await pidOf(program)]
    expect(pids[1]).toBe(pids[0])
    expect(pids[2]).not.toBe(pids[0])
  })

  it('is killed when it takes too long', async () => {
    await expect(shell({ timeoutMs: 1 }).feed('hang\n')).rejects.toMatchObject({ code: 'KIT_COMMAND_TIMEOUT' })
  })

  it('answers when it repeats the line at once', async () => {
    const program = shell()
    expect(await program.answers(60_000)).toBe(true)
    expect(await program.feed('who\n')).toMatchObject({ isDone: true, linesBefore: 1 })
  })

  it.each([
    ['keeps its output until its end', 'sh', ['-c', 'text=$(cat); echo "$text"'], 50],
    ['ends', 'true', [], 60_000],
    ['is not there', '/nonexistent/restore', [], 60_000],
  ] as const)('does not answer when it %s', async (_how, name, args, limitMs) => {
    const program = createStandingProgram(name, args, { doneLine: '# done', timeoutMs: 60_000 })
    expect(await program.answers(limitMs)).toBe(false)
  })

  it('says when there is no such program', async () => {
    const program = createStandingProgram('/nonexistent/restore', [], { doneLine: '# done', timeoutMs: 60_000 })
    await expect(program.feed('who\n')).rejects.toMatchObject({ code: 'KIT_COMMAND_MISSING' })
    await expect(program.feed('who\n')).rejects.toMatchObject({ code: 'KIT_COMMAND_MISSING' })
  })
})
