import { fakeClock } from '@kubewire/daemon-kit'
import { expect, it } from 'vitest'
import { watchForeignChanges } from './foreign-changes.ts'

it('looks once a period, tells what it finds, and goes on when the kernel cannot be asked', async () => {
  const clock = fakeClock()
  const told: string[] = []
  const answers = [undefined, 'nat KUBE-SVC-X: the chain is gone', new Error('the lock is held'), undefined]
  const stop = new AbortController()
  const watching = watchForeignChanges({
    audit: async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    },
    periodMs: 30_000,
    clock,
    signal: stop.signal,
    onFound: (what) => told.push(what),
    onProblem: (message) => told.push(message),
  })
  await clock.advance(29_999)
  expect(answers).toHaveLength(4)
  await clock.advance(90_001)
  expect(answers).toHaveLength(0)
  expect(told).toEqual(['nat KUBE-SVC-X: the chain is gone', 'could not look at the installed rules: the lock is held'])
  stop.abort()
  await watching
})
