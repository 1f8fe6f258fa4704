// Which changes of a Corefile are told, on a clock of the test's own.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@kubewire/daemon-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashPlans, type Instance, planCorefile } from './instance.ts'
import { createCorefileWatch } from './watch-corefile.ts'

const block = (lines: string): string => `.:53 {\n${lines}\nwhoami\n}`

let directory = ''
beforeEach(() => {
  vi.useFakeTimers()
  directory = mkdtempSync(join(tmpdir(), 'corefile-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(directory, { recursive: true })
})

function setUp(text: string) {
  const conf = join(directory, 'Corefile')
  const write = (content: string): void => writeFileSync(conf, content)
  const lines: string[] = []
  const log = createLog({ format: 'coredns', write: (written) => void lines.push(written) })
  const told = { count: 0 }
  const watch = createCorefileWatch({ conf, defaultPort: 53, log }, () => {
    told.count++
    watch.stop()
    watch.goOn()
  })
  write(text)
  const { value: plans } = planCorefile({ text, fileName: conf }, 53)
  watch.enter({ plans, hash: hashPlans(plans) } as unknown as Instance)
  const after = (content: string): number => {
    write(content)
    vi.advanceTimersByTime(10_000)
    return told.count
  }
  return { after, log, lines }
}

describe('a watched Corefile', () => {
  const started = block('reload 2s 0')

  it.each([
    ['with other comments is the same', `# other\n${started}`, 0],
    ['with another plugin is tried', block('reload 2s 0\nlog'), 1],
    ['that cannot be served is tried once', block('reload 2s 0\nnosuch'), 1],
  ])('%s', (_name, content, count) => {
    expect(setUp(started).after(content)).toBe(count)
  })

  it('that could not be served is tried again when it changes again', () => {
    const { after } = setUp(started)
    after(block('reload 2s 0\nnosuch'))
    expect(after(block('reload 2s 0\nlog'))).toBe(2)
  })

  it('is not looked at without the plugin reload', () => {
    expect(setUp(block('')).after(block('log'))).toBe(0)
  })

  it('is named by its hash in the log', () => {
    const { log, lines } = setUp(started)
    log.flush()
    expect(lines.join('')).toMatch(/^\[INFO\] plugin\/reload: Running configuration SHA512 = [0-9a-f]{128}\n$/)
  })
})
