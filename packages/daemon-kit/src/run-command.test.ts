import { expect, test } from 'vitest'
import { CommandError, runCommand } from './run-command.ts'

const node = process.execPath

test('input goes in, both outputs and the exit code come back', async () => {
  const script =
    'process.stdin.on("data",d=>process.stdout.write("got "+d)).on("end",()=>{console.error("bye");process.exit(3)})'
  expect(await runCommand(node, ['-e', script], { input: 'rules' })).toEqual({
    exitCode: 3,
    signal: undefined,
    stdout: 'got rules',
    stderr: 'bye\n',
  })
})

test('input in pieces is made as the program takes it', async () => {
  let made = 0
  const pieces = function* (): Generator<string> {
    for (; made < 40; made++) yield 'x'.repeat(100_000)
  }
  const script = 'let n=0;process.stdin.on("data",d=>(n+=d.length)).on("end",()=>console.log(n))'
  const running = runCommand(node, ['-e', script], { input: pieces() })
  expect(made).toBeLessThan(40)
  expect((await running).stdout).toBe('4000000\n')
})

test('a piece that cannot be made ends the program', async () => {
  const pieces = function* (): Generator<string> {
    yield 'half'
    throw new Error('no second half')
  }
  const running = runCommand(node, ['-e', 'process.stdin.on("data",()=>{})'], { input: pieces() })
  await expect(running).rejects.toThrow('no second half')
})

test('a program that starts before its turn gets its input when that has come, and is stopped when it never does', async () => {
  const echo = ['-e', 'process.stdin.pipe(process.stdout)']
  const order: string[] = []
  const before = runCommand(node, ['-e', '']).then(() => order.push('before'))
  const running = runCommand(node, echo, { input: 'rules', inputAfter: before }).then(({ stdout }) =>
    order.push(stdout),
  )
  await running
  expect(order).toEqual(['before', 'rules'])
  const never = runCommand(node, echo, { input: 'rules', inputAfter: Promise.reject(new Error('refused')) })
  await expect(never).rejects.toThrow('refused')
})

test('a program that says it is done is not waited for', async () => {
  const script = 'process.stdin.on("data",d=>process.stdout.write("x\\n"+d)).on("end",()=>setTimeout(()=>{},5e3))'
  const result = await runCommand(node, ['-e', script], { input: 'done\n', doneLine: 'done', timeoutMs: 4000 })
  expect(result).toMatchObject({ exitCode: undefined, isDone: true, stdout: 'x\ndone\n' })
})

test('a program that ends without having said so has its exit code', async () => {
  const result = await runCommand(node, ['-e', 'console.log("undone");process.exit(2)'], { doneLine: 'done' })
  expect(result).toEqual({ exitCode: 2, signal: undefined, stdout: 'undone\n', stderr: '' })
})

test('a program that never reads its input does not end this process', async () => {
  const result = await runCommand(node, ['-e', 'process.exit(4)'], { input: 'x'.repeat(1_000_000) })
  expect(result.exitCode).toBe(4)
})

test.each([
  ['is not installed', 'kubewire-no-such-program', [], {}, 'KIT_COMMAND_MISSING'],
  ['does not end', node, ['-e', 'setInterval(()=>{},1e3)'], { timeoutMs: 300 }, 'KIT_COMMAND_TIMEOUT'],
  [
    'writes without end',
    node,
    ['-e', 'for(;;)process.stdout.write("x".repeat(65536))'],
    { maxOutputBytes: 1e5 },
    'KIT_COMMAND_OUTPUT',
  ],
  [
    'is no longer wanted',
    node,
    ['-e', 'setInterval(()=>{},1e3)'],
    { signal: AbortSignal.timeout(100) },
    'KIT_COMMAND_ABORTED',
  ],
] as const)('a program that %s is an error', async (_name, program, args, options, code) => {
  const error = await runCommand(program, args, options).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ code, command: [program, ...args] })
})
