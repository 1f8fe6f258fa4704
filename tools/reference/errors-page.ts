// `docs/errors.md`: every code of every package with its meaning, from the packages' `problem-codes.ts`.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importTable } from '../import-table.ts'

/** One package's codes. */
interface PackageCodes {
  readonly owner: string
  readonly codes: Readonly<Record<string, string>>
}

/** The page. Sections stand in the order of the layers, codes in alphabetical order. */
export async function printErrorsPage(root: string): Promise<string> {
  const packages = (await Promise.all(Object.keys(importTable).map((owner) => readCodes(root, owner)))).flat()
  return [
    '# Problem and error codes',
    '',
    'Every problem with your input and every error from the outside world carries one of these codes. A code keeps its',
    'meaning for ever; a retired code is never used again. This page is generated from the `problem-codes.ts` of each',
    'package by `pnpm docs`.',
    '',
    ...packages.flatMap(printSection),
  ].join('\n')
}

async function readCodes(root: string, owner: string): Promise<readonly PackageCodes[]> {
  const path = join(root, owner, 'src/problem-codes.ts')
  if (!existsSync(path)) return []
  const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
  return Object.values(module)
    .filter(isCodes)
    .map((codes) => ({ owner, codes }))
}

function isCodes(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^[A-Z]+_[A-Z0-9_]+$/.test(key))
  )
}

function printSection({ owner, codes }: PackageCodes): readonly string[] {
  const rows = Object.entries(codes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, meaning]) => `| \`${code}\` | ${meaning.replaceAll('|', '\\|')} |`)
  return [`## ${owner}`, '', '| code | meaning |', '| --- | --- |', ...rows, '']
}
