// A folder given with --cases may hold files of several areas: they are told apart by their keys alone. A file that no
// area claims stays with the area that was asked for, where it fails with its keys named.

import type { Area, CaseFile } from './area.ts'
import { areaNames, loadArea } from './area-table.ts'
import type { FoundCases } from './find-cases.ts'

/** The files of one area, and how many belong to others. */
export interface SplitCases {
  readonly ours: FoundCases
  readonly elsewhere: ReadonlyMap<Area['name'], number>
}

/**
 * Sorts out what belongs to other areas; those are loaded only if a file is not the area's own.
 *
 * @param keepsStrays - whether files that nobody claims, or that cannot be read, stay here
 */
export async function splitByArea(area: Area, found: FoundCases, keepsStrays: boolean): Promise<SplitCases> {
  const ours: CaseFile[] = []
  const elsewhere = new Map<Area['name'], number>()
  for (const file of found.cases) {
    const owner = area.claims(file.data) ? area.name : await ownerOf(file, area.name)
    if (owner === area.name || (owner === undefined && keepsStrays)) ours.push(file)
    else if (owner !== undefined) elsewhere.set(owner, (elsewhere.get(owner) ?? 0) + 1)
  }
  return { ours: { cases: ours, broken: keepsStrays ? found.broken : [] }, elsewhere }
}

async function ownerOf(file: CaseFile, asked: Area['name']): Promise<Area['name'] | undefined> {
  for (const name of areaNames) {
    if (name === asked) continue
    const other = await loadArea(name).catch(() => undefined)
    if (other?.claims(file.data)) return name
  }
  return undefined
}
