// What it takes to bring a running nginx to the wanted state: nothing, new data, or a reload, and why.
// The text decides: whatever changes a byte of it needs a reload, and nothing else does. Where hosts are data, it is the
// text without classes that decides, and whether nginx has the classes that routes enter.

import { deepEqual } from '@kubewire/kube-model'
import type { Model } from '../model/model.ts'
import type { Server } from '../model/server.ts'
import type { DynamicData } from './backends.ts'

/** One state of nginx: the model, its text, its data. */
export interface NginxState {
  readonly model: Model
  readonly text: string
  /** Stands for the text without classes of settings; the text itself where hosts are servers. */
  readonly frame: string
  /** Classes that routes enter, and all that the text has. */
  readonly classes: readonly string[]
  readonly rendered: readonly string[]
  /** Names of hosts that are data. */
  readonly routed: ReadonlySet<string>
  readonly data: DynamicData
}

/** Entries to set, and entries to remove (`null`), per kind of data. */
export interface DataChange {
  readonly backends: { readonly [name: string]: string | null }
  readonly servers: { readonly [host: string]: string | null }
  readonly certificates: { readonly [id: string]: string | null }
  readonly routes: { readonly [host: string]: string | null }
}

/** What to do. */
export type UpdatePlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'data'; readonly change: DataChange }
  /**
   * After a reload all data is pushed again: the dictionaries survive, but a start begins empty. `early` is what the
   * running text can serve already and need not wait: nothing is removed, and no route enters a class that is not there.
   */
  | { readonly kind: 'reload'; readonly reasons: readonly string[]; readonly early: DataChange }

/**
 * Compares what runs with what is wanted.
 *
 * @param running - what nginx accepted last; `undefined` before the first start
 */
export function planUpdate(running: NginxState | undefined, wanted: NginxState): UpdatePlan {
  if (running === undefined) return { kind: 'reload', reasons: ['start'], early: noChange }
  const change: DataChange = {
    backends: changedEntries(running.data.backends, wanted.data.backends),
    servers: changedEntries(running.data.servers, wanted.data.servers),
    certificates: changedEntries(running.data.certificates, wanted.data.certificates),
    routes: changedEntries(running.data.routes, wanted.data.routes),
  }
  const held = new Set(running.rendered)
  const isNew = (name: string): boolean => !held.has(name)
  if (running.frame !== wanted.frame || wanted.classes.some(isNew)) {
    return { kind: 'reload', reasons: reasonsOf(running, wanted, isNew), early: earlyChange(change, isNew) }
  }
  return isEmptyChange(change) ? { kind: 'nothing' } : { kind: 'data', change }
}

/** What runs once nginx has taken the data of `wanted`, its text being what it was. */
export function withDataOf<S extends NginxState>(running: S, wanted: S): S {
  return { ...wanted, text: running.text, frame: running.frame, rendered: running.rendered }
}

/** What runs once nginx has taken an early change. */
export function withChange<S extends NginxState>(running: S, change: DataChange): S {
  const { backends, servers, certificates, routes } = running.data
  const data: DynamicData = {
    backends: changed(backends, change.backends),
    servers: changed(servers, change.servers),
    certificates: changed(certificates, change.certificates),
    routes: changed(routes, change.routes),
  }
  return { ...running, data }
}

/** Whether there is nothing to push. */
export function isEmptyChange(change: DataChange): boolean {
  return Object.values(change).every((part) => Object.keys(part).length === 0)
}

const noChange: DataChange = { backends: {}, servers: {}, certificates: {}, routes: {} }

// The old text may still name what is to go.
function earlyChange(change: DataChange, isNew: (name: string) => boolean): DataChange {
  const entersNew = (text: string): boolean => classesIn(text).some(isNew)
  return {
    backends: additions(change.backends),
    servers: additions(change.servers),
    certificates: additions(change.certificates),
    routes: additions(change.routes, entersNew),
  }
}

function additions(
  entries: { readonly [key: string]: string | null },
  waits: (text: string) => boolean = () => false,
): { readonly [key: string]: string } {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null && !waits(entry[1])),
  )
}

function classesIn(entry: string): readonly string[] {
  return [...entry.matchAll(/"class":"(@class-[0-9a-f]+)"/g)].map(([, name = '']) => name)
}

function changed(
  before: { readonly [key: string]: string },
  change: { readonly [key: string]: string | null },
): { readonly [key: string]: string } {
  if (Object.keys(change).length === 0) return before
  const all = Object.entries({ ...before, ...change })
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
}

// Hosts that are data are no reason; that their settings are new is.
function reasonsOf(running: NginxState, wanted: NginxState, isNew: (name: string) => boolean): readonly string[] {
  const isServer = ({ host }: Server): boolean => !running.routed.has(host) || !wanted.routed.has(host)
  const serversOf = (state: NginxState): Model => ({ ...state.model, servers: state.model.servers.filter(isServer) })
  const waiting = Object.entries(wanted.data.routes).filter(
    ([host, text]) => running.data.routes[host] !== text && classesIn(text).some(isNew),
  )
  const news = waiting.slice(0, mostReasons).map(([host]) => `host ${host} has settings that are new`)
  if (running.frame === wanted.frame) return news.length > 0 ? news : ['settings of routes are new']
  return [...news, ...reloadReasons(serversOf(running), serversOf(wanted))].slice(0, mostReasons + 1)
}

const mostReasons = 10

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
  const more = unique.length - mostReasons
  return more > 0 ? [...unique.slice(0, mostReasons), `and ${more} more`] : unique
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
  for (const key of Object.keys(after)) {
    const value = after[key]
    if (value !== undefined && before[key] !== value) change[key] = value
  }
  for (const key of Object.keys(before)) if (after[key] === undefined) change[key] = null
  return change
}
