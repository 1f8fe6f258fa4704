// Errors for what a server sent and we could not use.

import type { KubeObject } from '@kubewire/kube-model'
import { asWatchError, WatchError } from '../watch-error.ts'

/** A transform threw for an object. */
export function transformError(raw: KubeObject, cause: unknown): WatchError {
  const { namespace, name = '', resourceVersion = '' } = raw.metadata ?? {}
  const key = namespace ? `${namespace}/${name}` : name
  return new WatchError({
    code: 'INF_TRANSFORM',
    step: 'transform',
    message: `transform threw for ${key} at version ${resourceVersion}`,
    cause,
  })
}

/** What reading a body threw: no JSON of the API, or a broken connection. */
export function badJson(thrown: unknown, step: 'list' | 'watch'): WatchError {
  if (thrown instanceof SyntaxError || thrown instanceof RangeError || thrown instanceof TypeError) {
    const code = step === 'list' ? 'INF_BAD_LIST' : 'INF_BAD_FRAME'
    return new WatchError({
      code,
      step,
      message: `expected JSON of the API: ${thrown.message.slice(0, 120)}`,
      cause: thrown,
    })
  }
  return asWatchError(thrown, step)
}
