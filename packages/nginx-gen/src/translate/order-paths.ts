// Locations of a server in the order of the file, Prefix paths split, expressions spread over the host.
// Source: ingress-nginx 1.15 controller/location.go, controller.go (sort), template buildLocation.

import { compareText, type Problem, quoteFound } from '@kubewire/kube-model'
import { featureOf } from '../annotations/define.ts'
import { forcesRegex, isUsablePattern, rewrite } from '../annotations/rewrite.ts'
import { byteLength } from '../config/byte-length.ts'
import type { Location, LocationMatch } from '../model/location.ts'
import type { LocationDraft } from './rule-parts.ts'

/** The finished locations of a server and whether they are matched by expressions. */
export function orderPaths(
  host: string,
  drafts: readonly LocationDraft[],
  problems: Problem[],
): {
  readonly locations: readonly Location[]
  readonly usesRegex: boolean
} {
  const sorted = drafts.length < 2 ? drafts : [...drafts].sort(comparePaths)
  const exact = new Set<string>()
  for (const { path, pathType } of drafts) if (pathType === 'Exact') exact.add(path)
  const locations: Split[] = []
  for (const draft of sorted) addSplit(draft, exact, locations)
  // COMPAT: asked of the split paths: for /foo with the target /foo the block of /foo/ has a rewrite (template
  // enforceRegexModifier runs after updateServerLocations).
  const usesRegex = locations.some(({ draft, path }) => forcesRegex(featureOf(draft.features, rewrite), path))
  const usable = usesRegex ? locations.filter((split) => isUsable(split, host, problems)) : locations
  const finished = usable.map(({ draft, path, pathType }) => finish(draft, path, pathType, usesRegex))
  return { locations: withoutTwins(finished), usesRegex }
}

/** An expression that nginx cannot compile would stop every change; the path of another Ingress made it one. */
function isUsable({ draft, path }: Split, host: string, problems: Problem[]): boolean {
  if (isUsablePattern(path)) return true
  problems.push({
    code: 'NGX_INGRESS_REFUSED',
    severity: 'error',
    object: draft.ingress ?? { kind: 'Ingress', name: '' },
    path: 'spec.rules',
    message: `the paths of ${host} are expressions because of a rewrite or use-regex, and ${quoteFound(path)} is none`,
    fallback: 'this path is left out',
  })
  return false
}

interface Split {
  readonly draft: LocationDraft
  readonly path: string
  readonly pathType: 'Exact' | 'Prefix'
}

/** Longest first, then descending; equal paths stay in the order of age. */
function comparePaths(a: LocationDraft, b: LocationDraft): number {
  return byteLength(b.path) - byteLength(a.path) || compareText(b.path, a.path)
}

/** A Prefix path matches whole elements: `/foo/` by prefix and `/foo` exactly. */
function addSplit(draft: LocationDraft, exact: ReadonlySet<string>, locations: Split[]): void {
  const { path, pathType } = draft
  if (path === '/' || pathType === 'Exact' || forcesRegex(featureOf(draft.features, rewrite), path)) {
    locations.push({ draft, path, pathType })
    return
  }
  locations.push({ draft, path: path.endsWith('/') ? path : `${path}/`, pathType })
  if (!exact.has(path)) locations.push({ draft, path, pathType: 'Exact' })
}

function finish(draft: LocationDraft, path: string, pathType: 'Exact' | 'Prefix', usesRegex: boolean): Location {
  const match: LocationMatch = usesRegex ? 'regex' : pathType === 'Exact' ? 'exact' : 'prefix'
  return {
    route: {
      match,
      path,
      rulePath: draft.path,
      pathType: draft.pathType,
      backend: draft.backend,
      ingress: draft.ingress,
      serviceName: draft.serviceName,
      servicePort: draft.servicePort,
    },
    field: draft.field,
    isDefaultBackend: draft.isDefaultBackend,
    denied: draft.denied,
    features: draft.features,
  }
}

/** nginx refuses a file with one location twice; the first in the order of the file keeps it. */
function withoutTwins(locations: readonly Location[]): readonly Location[] {
  if (locations.length <= fewLocations) {
    return locations.some(hasTwinBefore) ? locations.filter((one, at, all) => !hasTwinBefore(one, at, all)) : locations
  }
  const seen = new Set<string>()
  return locations.filter(({ route }) => {
    const key = `${route.match} ${route.path}`
    return seen.has(key) ? false : seen.add(key)
  })
}

/** Up to so many are compared with each other, which is cheaper than a text for each. */
const fewLocations = 8

function hasTwinBefore({ route }: Location, at: number, all: readonly Location[]): boolean {
  for (let before = 0; before < at; before++) {
    const other = (all[before] as Location).route
    if (other.path === route.path && other.match === route.match) return true
  }
  return false
}
