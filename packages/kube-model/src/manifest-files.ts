// A folder of manifests: which files belong to it, and what counts where two of them say something about one object.
// Whoever follows a folder follows it by these rules.

import type { Problem } from './problem.ts'

/** Whether a path below a folder names a manifest; hidden files and what kustomize reads itself are none. */
export function isManifestName(path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1)
  return /\.(?:ya?ml|json)$/.test(base) && !base.startsWith('.') && !/^kustomization\.ya?ml$/.test(base)
}

/**
 * Whether a file was saved as a whole: every document of it parses. Of one that was not, what it declared before goes on
 * counting, so that an editor that saves in two steps removes nothing.
 */
export function isWholeManifest(problems: readonly Problem[]): boolean {
  return problems.every(({ code }) => code !== 'MODEL_YAML')
}

/** What files declare, in their order: the first declaration of a key counts, the others are left over. */
export function firstDeclarations<T>(
  files: Iterable<readonly T[]>,
  keyOf: (declared: T) => string,
): {
  readonly byKey: ReadonlyMap<string, T>
  readonly repeated: readonly { readonly again: T; readonly first: T }[]
} {
  const byKey = new Map<string, T>()
  const repeated: { again: T; first: T }[] = []
  for (const declared of files) {
    for (const one of declared) {
      const key = keyOf(one)
      const first = byKey.get(key)
      if (first === undefined) byKey.set(key, one)
      else repeated.push({ again: one, first })
    }
  }
  return { byKey, repeated }
}
