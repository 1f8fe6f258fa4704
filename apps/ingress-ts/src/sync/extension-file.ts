// The module of `--extension`: loaded at the start, where a broken one ends it, and again on every change of the file,
// where a broken one is named and the one in force stays.

import { pathToFileURL } from 'node:url'
import { type Log, watchFile } from '@kubewire/daemon-kit'
import { createExtension } from '@kubewire/nginx-gen'
import type { NamedExtension } from './render-state.ts'

/**
 * Loads an extension. `version` tells one content of the file from another, since Node keeps every module it loaded.
 *
 * @throws Error when the module does not load or makes no extension
 */
export async function loadExtension(file: string, version: number): Promise<NamedExtension> {
  const url = pathToFileURL(file)
  url.searchParams.set('version', String(version))
  const module = (await import(url.href)) as { readonly default?: unknown }
  return { ...createExtension(module.default), file }
}

/** Follows the file; the subscription ends it. */
export function followExtension(
  file: string,
  onChange: (extension: NamedExtension) => void,
  log: Log,
): { close(): void } {
  let version = 0
  const subscription = watchFile(file).subscribe((state) => {
    version++
    if (version === 1) return
    if (state.kind === 'missing') {
      log.error('the extension is gone, the last one stays in force', { file })
      return
    }
    const mine = version
    loadExtension(file, mine).then(
      (extension) => {
        if (mine === version) onChange(extension)
      },
      (error: unknown) =>
        log.error('the extension is broken, the last one stays in force', { file, error: String(error) }),
    )
  })
  return { close: () => subscription.unsubscribe() }
}
