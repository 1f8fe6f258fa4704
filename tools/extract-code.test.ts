import { describe, expect, it } from 'vitest'
import { extractCode } from './extract-code.ts'

const fence = '```'

describe('extractCode', () => {
  it('finds TypeScript with its place and the output that follows it', () => {
    const page = [
      '# Page',
      '',
      `${fence}ts`,
      'console.log(1)',
      fence,
      '',
      'prints',
      '',
      `${fence}text`,
      '1',
      fence,
    ].join('\n')
    expect(extractCode('a.md', page)).toEqual([
      { file: 'a.md', line: 4, code: 'console.log(1)\n', output: '1\n', isFragment: false },
    ])
  })

  it('takes a text block further down for something else', () => {
    const page = [`${fence}ts`, 'f()', fence, '', 'a', 'b', 'c', 'd', `${fence}text`, '1', fence].join('\n')
    expect(extractCode('a.md', page)[0]?.output).toBeUndefined()
  })

  it('knows fragments, indented blocks and other languages', () => {
    const page = [`- item`, `  ${fence}ts fragment`, '  f()', `  ${fence}`, `${fence}sh`, 'ls', fence].join('\n')
    expect(extractCode('a.md', page)).toEqual([{ file: 'a.md', line: 3, code: 'f()\n', isFragment: true }])
  })
})
