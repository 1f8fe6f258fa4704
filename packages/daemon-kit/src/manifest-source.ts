// A folder of YAML as a cluster: the informer lists and watches it like an API server, and sees edits within a moment.
// Read-only; a resource is matched by kind and group, versions of one group are not told apart.

import {
  type Cluster,
  type ListOptions,
  type Resource,
  type ResourceSource,
  type Scope,
  WatchError,
  type WatchFrame,
  type WatchOptions,
} from '@kubewire/informer'
import { type KubeObject, matchesSelector, type Problem, parseSelector } from '@kubewire/kube-model'
import { isManifestName } from '@kubewire/kube-model/manifest'
import { Subject } from 'rxjs'
import { emptyManifestFolder, type ManifestChange, readManifestFolder } from './manifest-folder.ts'
import { type WatchFileOptions, watchDirectory } from './watch-file.ts'

/** How a folder is followed. */
export interface ManifestClusterOptions extends WatchFileOptions {
  /** Gets the problems of the folder whenever they change. */
  readonly onProblems?: (problems: readonly Problem[]) => void
}

/**
 * Reads every `*.yaml`, `*.yml` and `*.json` below `folder` and follows it. Resolves after the first look, so the
 * first list is complete.
 */
export async function manifestCluster(folder: string, options: ManifestClusterOptions = {}): Promise<Cluster> {
  const state: FolderState = { folder: emptyManifestFolder, history: [], changed: new Subject() }
  let shown = ''
  let ready: () => void = () => {}
  const firstLook = new Promise<void>((resolve) => {
    ready = resolve
  })
  const subscription = watchDirectory(folder, { ...options, match: isManifestName }).subscribe((files) => {
    const texts = new Map([...files].map(([name, bytes]) => [name, bytes.toString('utf8')]))
    const read = readManifestFolder(state.folder, texts)
    state.folder = read.folder
    state.history = [...state.history, ...read.changes].slice(-historySize)
    const problems = JSON.stringify(read.folder.problems)
    if (problems !== shown) options.onProblems?.(read.folder.problems)
    shown = problems
    ready()
    state.changed.next()
  })
  await firstLook
  return {
    source: (resource, scope) => manifestSource(state, resource, scope ?? {}),
    request: ({ method, path }) =>
      Promise.reject(
        new WatchError({
          code: 'INF_SERVER',
          step: 'request',
          message: `${method} ${path}: a folder of manifests is read-only`,
          status: { code: 405, reason: 'MethodNotAllowed' },
        }),
      ),
    close: async () => {
      subscription.unsubscribe()
      state.changed.complete()
    },
  }
}

// A watch that asks for older changes lists again.
const historySize = 2000

interface FolderState {
  folder: typeof emptyManifestFolder
  history: readonly ManifestChange[]
  readonly changed: Subject<void>
}

function manifestSource<T extends KubeObject>(
  state: FolderState,
  resource: Resource<T>,
  scope: Scope,
): ResourceSource<T> {
  const holds = selection(resource, scope)
  const select = (object: KubeObject | undefined): T | undefined => {
    if (object === undefined || !holds(object)) return undefined
    const transform = resource.transform as ((raw: KubeObject) => T | undefined) | undefined
    return transform === undefined ? (object as T) : transform(object)
  }
  const current = (): T[] => [...state.folder.objects.values()].map(select).filter((object) => object !== undefined)
  return {
    list: async (_options: ListOptions) => ({ items: current(), resourceVersion: String(state.folder.version) }),
    watch: async (options: WatchOptions, signal) =>
      endable(signal, (end) => frames(state, select, current, options, end)),
  }
}

// A generator that waits cannot be ended from outside: `return` first ends what it waits for.
function endable<T>(
  signal: AbortSignal,
  generate: (end: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const ended = new AbortController()
      const generator = generate(AbortSignal.any([signal, ended.signal]))
      return {
        next: () => generator.next(),
        return: () => {
          ended.abort()
          return generator.return()
        },
      }
    },
  }
}

async function* frames<T extends KubeObject>(
  state: FolderState,
  select: (object: KubeObject | undefined) => T | undefined,
  current: () => readonly T[],
  options: WatchOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchFrame<T>, void, undefined> {
  let version = Number(options.resourceVersion ?? state.folder.version)
  if (options.sendInitialEvents === true) {
    version = state.folder.version
    for (const object of current()) yield { type: 'ADDED', object }
    yield { type: 'BOOKMARK', resourceVersion: String(version), isInitialEventsEnd: true }
  }
  const untilMs = Date.now() + (options.timeoutSeconds ?? 300) * 1000
  while (!signal.aborted && Date.now() < untilMs) {
    const oldest = state.history[0]?.version ?? state.folder.version + 1
    if (version < oldest - 1 && version < state.folder.version) {
      yield { type: 'ERROR', status: { code: 410, reason: 'Expired', message: 'too old resource version' } }
      return
    }
    for (const change of state.history.filter((entry) => entry.version > version)) {
      version = change.version
      const frame = frameOf(select(change.before), select(change.after), version)
      if (frame !== undefined) yield frame
    }
    // The reader may have been slow: what changed meanwhile is not waited for.
    if (state.folder.version > version) continue
    if (!(await nextChange(state.changed, signal, untilMs - Date.now()))) return
  }
}

function frameOf<T>(before: T | undefined, after: T | undefined, version: number): WatchFrame<T> | undefined {
  if (after !== undefined) return { type: before === undefined ? 'ADDED' : 'MODIFIED', object: after }
  if (before === undefined) return undefined
  const object = before as T & KubeObject
  return { type: 'DELETED', object: { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } } }
}

/** Resolves with true on a change, with false at the end of the time, of the caller's interest or of the cluster. */
function nextChange(changed: Subject<void>, signal: AbortSignal, timeoutMs: number): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (isChanged: boolean): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      subscription.unsubscribe()
      resolve(isChanged)
    }
    const abort = (): void => end(false)
    const timer = setTimeout(() => end(false), Math.max(timeoutMs, 0))
    signal.addEventListener('abort', abort)
    const subscription = changed.subscribe({ next: () => end(true), complete: () => end(false) })
  })
}

function selection<T extends KubeObject>(resource: Resource<T>, scope: Scope): (object: KubeObject) => boolean {
  const labels = parseSelector(scope.labelSelector ?? '') ?? []
  const fields = (scope.fieldSelector ?? '').split(',').filter((part) => part !== '')
  const group = resource.group === '' ? resource.version : `${resource.group}/`
  return (object) =>
    object.kind === resource.kind &&
    (object.apiVersion ?? '').startsWith(group) &&
    (scope.namespace === undefined || object.metadata?.namespace === scope.namespace) &&
    matchesSelector(labels, object.metadata?.labels) &&
    fields.every((field) => holdsField(field, object))
}

// `a.b.c=x`, `a.b.c==x`, `a.b.c!=x` on any path, as far as the value there is text or a number.
function holdsField(field: string, object: KubeObject): boolean {
  const [, path = '', operator, wanted] = /^([^=!]+)(==|=|!=)(.*)$/.exec(field) ?? []
  const found = path
    .split('.')
    .reduce<unknown>((value, key) => (value as { [key: string]: unknown } | undefined)?.[key], object)
  return (String(found ?? '') === wanted) !== (operator === '!=')
}
