// Finds the areas. Each is loaded only when it is asked for: an area brings daemons and libraries along.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Area } from './area.ts'

/** The areas, in the order in which all of them run. */
export const areaNames: readonly Area['name'][] = ['api', 'dns', 'proxy', 'ingress']

/** Whether a word names an area. */
export function isAreaName(word: string): word is Area['name'] {
  return (areaNames as readonly string[]).includes(word)
}

/**
 * Loads an area.
 *
 * @throws Error that says which file is missing
 */
export async function loadArea(name: Area['name']): Promise<Area> {
  const file = new URL(`./${name}/area.ts`, import.meta.url)
  if (!existsSync(fileURLToPath(file))) throw new Error(`area ${name}: there is no test/conformance/${name}/area.ts`)
  const { area } = (await import(/* @vite-ignore */ file.href)) as { readonly area: Area }
  return area
}
