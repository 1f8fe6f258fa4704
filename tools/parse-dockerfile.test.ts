// What an engine would make of our Dockerfiles, as far as they go.

import { describe, expect, it } from 'vitest'
import { parseDockerfile } from './parse-dockerfile.mjs'

const base = 'FROM node:20.20-bookworm AS build\nFROM node:20.20-bookworm-slim\n'

describe('parseDockerfile', () => {
  it.each([
    ['a word', 'ENV A=--b=4', { A: '--b=4' }],
    ['words in quotes, which are not part of them', 'ENV A="--b --c=4"', { A: '--b --c=4' }],
  ])('reads a variable of %s', (_name, line, environment) => {
    expect(parseDockerfile(`${base}${line}\n`).facts.environment).toEqual(environment)
  })

  it.each([
    ['two variables', 'ENV A=1 B=2'],
    ['an instruction nobody uses', 'VOLUME /data'],
  ])('refuses %s', (_name, line) => {
    expect(() => parseDockerfile(`${base}${line}\n`)).toThrow('not known here')
  })
})
