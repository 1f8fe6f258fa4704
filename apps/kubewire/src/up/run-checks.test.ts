import { expect, test } from 'vitest'
import type { Output } from '../output.ts'
import type { Check } from './checks/check.ts'
import { runChecks } from './run-checks.ts'

const check = (name: string, expected: string | RegExp, more: Partial<Check<string>> = {}): Check<string> => ({
  name,
  expected,
  asked: (world) => `ask ${world}`,
  ask: async (world) => `answer of\n${world}\n`,
  ...more,
})

async function run(list: readonly Check<string>[], stopped: Promise<string> = new Promise(() => {})) {
  let text = ''
  const output: Output = {
    data: (more) => {
      text += more
    },
    note: () => {},
    readStdin: async () => '',
    hasColour: false,
  }
  return { code: await runChecks(list, 'it', output, stopped), lines: text.trim().split('\n') }
}

test('what was asked and what came back stand on one line, and all ok is exit 0', async () => {
  expect(await run([check('a fact', /^answer of\s+it/)])).toEqual({
    code: 0,
    lines: ['1..1', 'ok 1 - a fact: ask it → answer of | it', '# 1 ok, 0 not ok'],
  })
})

test('a wrong answer, or none, is not ok and says what was expected; the others still run', async () => {
  const fails = async (): Promise<string> => {
    throw new Error('refused')
  }
  const { code, lines } = await run([check('a', 'x'), check('b', /y/, { ask: fails }), check('c', /it/)])
  expect(code).toBe(1)
  expect(lines).toEqual([
    '1..3',
    'not ok 1 - a: ask it → answer of | it (expected "x")',
    'not ok 2 - b: ask it → error: refused (expected /y/)',
    'ok 3 - c: ask it → answer of | it',
    '# 1 ok, 2 not ok',
  ])
})

test('what cannot be asked is skipped with the reason', async () => {
  const { code, lines } = await run([check('a', 'x', { whyNot: async () => 'kubectl is not installed' })])
  expect([code, lines[1]]).toEqual([0, 'ok 1 - a # SKIP kubectl is not installed'])
})

test('a daemon that ends takes the run down', async () => {
  const waits = check('a', 'x', { ask: () => new Promise(() => {}) })
  const { code, lines } = await run([waits, check('b', 'y')], Promise.resolve('coredns-ts ended with exit status 1'))
  expect([code, lines]).toEqual([1, ['1..2', 'not ok 1 - a: coredns-ts ended with exit status 1']])
})
