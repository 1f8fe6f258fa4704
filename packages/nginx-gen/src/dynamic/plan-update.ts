// What it takes to bring a running nginx to the wanted state: nothing, new data, or a reload, and why.
// The text decides: whatever changes a byte of the configuration needs a reload, and nothing else does.

import { deepEqual } from '@kubewire/kube-model'
import type { Model } from '../model/model.ts'
import type { Server } from '../model/server.ts'
import type { DynamicData } from './backends.ts'

/** One state of nginx: the model, its text, its data. */
export interface NginxState {
  readonly model: Model
  readonly text: string
  readonly data: DynamicData
}

/** Entries to set, and entries to remove (`null`), per kind of data. */
export interface DataChange {
  readonly backends: { readonly [name: string]: string | null }
  readonly servers: { readonly [host: string]: string | null }
  readonly certificates: { readonly [id: string]: string | null }
}

/** What to do. */
export type UpdatePlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'data'; readonly change: DataChange }
  /** After a reload all data is pushed again: the dictionaries survive, but a start begins empty. */
  | { readonly kind: 'reload'; readonly reasons: readonly string[] }

/**
 * Compares what runs with what is wanted.
 *
 * @param running - what nginx accepted last; `undefined` before the first start
 */
export function planUpdate(running: NginxState | undefined, wanted: NginxState): UpdatePlan {
  if (running === undefined) return { kind: 'reload', reasons: ['start'] }
  if (running.text !== wanted.text) return { kind: 'reload', reasons: reloadReasons(running.model, wanted.model) }
  const change: DataChange = {
    backends: changedEntries(running.data.backends, wanted.data.backends),
    servers: changedEntries(running.data.servers, wanted.data.servers),
    certificates: changedEntries(running.data.certificates, wanted.data.certificates),
  }
  const isEmpty = Object.values(change).every((part) => Object.keys(part).length === 0)
  return isEmpty ? { kind: 'nothing' } : { kind: 'data', change }
}

/** Why the text differs, for logs: settings, hosts, paths; at most ten. */
export function reloadReasons(before: Model, after: Model): readonly string[] {
  const reasons = [
    ...changedKeys(before.settings, after.settings).map((key) => `setting ${key} changed`),
    ...serverReasons(before.servers, after.servers),
    ...changedKeys(
      Object.fromEntries(before.stream.map((s) => [`${s.protocol} ${s.port}`, s])),
      Object.fromEntries(after.stream.map((s) => [`${s.protocol} ${s.port}`, s])),
    ).map((port) => `stream service ${port} changed`),
    ...changedKeys(namesOf(before.files), namesOf(after.files)).map(() => 'content of a file changed'),
  ]
  if (before.tls.defaultCertificate?.id !== after.tls.defaultCertificate?.id)
    reasons.push('default certificate changed')
  const unique = [...new Set(reasons)]
  if (unique.length === 0) return ['configuration changed']
  return unique.length > 10 ? [...unique.slice(0, 10), `and ${unique.length - 10} more`] : unique
}

function serverReasons(before: readonly Server[], after: readonly Server[]): string[] {
  const old = new Map(before.map((server) => [server.host, server]))
  const now = new Map(after.map((server) => [server.host, server]))
  const reasons: string[] = []
  for (const host of old.keys()) if (!now.has(host)) reasons.push(`host ${host} removed`)
  for (const [host, server] of now) {
    const was = old.get(host)
    if (was === undefined) reasons.push(`host ${host} added`)
    else if (!deepEqual(was, server)) reasons.push(...hostReasons(was, server))
  }
  return reasons
}

function hostReasons(before: Server, after: Server): string[] {
  const paths = changedKeys(byPath(before), byPath(after))
  if (paths.length > 0) return paths.map((path) => `host ${after.host} path ${path} changed`)
  return [`host ${after.host} changed`]
}

function byPath(server: Server): { readonly [path: string]: unknown } {
  return Object.fromEntries(server.locations.map((one) => [`${one.route.match} ${one.route.path}`, one]))
}

function namesOf(files: Model['files']): { readonly [name: string]: unknown } {
  return Object.fromEntries(files.map((file) => [file.name, true]))
}

function changedKeys(before: object, after: object): string[] {
  const was = before as { readonly [key: string]: unknown }
  const is = after as { readonly [key: string]: unknown }
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => !deepEqual(was[key], is[key])).sort()
}

function changedEntries(
  before: { readonly [key: string]: string },
  after: { readonly [key: string]: string },
): { readonly [key: string]: string | null } {
  const change: { [key: string]: string | null } = {}
  for (const [key, value] of Object.entries(after)) if (before[key] !== value) change[key] = value
  for (const key of Object.keys(before)) if (after[key] === undefined) change[key] = null
  return change
}
