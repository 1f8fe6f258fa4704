// What holds for the requests of a location, a host, or everywhere, besides who serves them: every setting of the model,
// leaf by leaf. A new annotation or key is compared without a word here.

import type { ClusterSnapshot, ObjectRef } from '@kubewire/kube-model'
import { type Backend, type Location, type Model, type Server, settings } from '@kubewire/nginx-gen'
import { explainCertificate } from '../ask/ingress-backend.ts'
import { type AnnotationsBehind, createAnnotationsBehind } from './annotations-behind.ts'
import type { Effect } from './effect.ts'
import { flattenValue, nothing } from './flatten-value.ts'

/** One effect for each setting of each location and host, and for each key of the ConfigMap. */
export function settingEffects(snapshot: ClusterSnapshot, model: Model): readonly Effect[] {
  const behind = createAnnotationsBehind(snapshot, model)
  const ofLocation = locationReader(snapshot, model, behind)
  return [
    ...model.servers.flatMap((server) => [
      ...serverEffects(server, model),
      ...server.locations.flatMap((location) => ofLocation(server, location)),
    ]),
    ...globalEffects(model),
    ...model.wwwRedirects.map(({ from, to }) => ({
      subject: `host ${from}`,
      question: 'any path',
      answer: `redirects to ${to}`,
    })),
    ...model.stream.map((service) => streamEffect(service)),
  ]
}

type LocationReader = (server: Server, location: Location) => readonly Effect[]

function locationReader(snapshot: ClusterSnapshot, model: Model, behind: AnnotationsBehind): LocationReader {
  const defaults = flattenValue(model.plain)
  // Thousands of locations share a handful of settings.
  const known = new Map<Location['features'], ReadonlyMap<string, string>>()
  const canaries = canariesOf(snapshot, model)
  return ({ host }, { features, denied, route }) => {
    const leaves = known.get(features) ?? settingLeaves(features)
    known.set(features, leaves)
    const subject = `host ${host}`
    const place = route.pathType === 'Exact' ? `= ${route.rulePath}` : route.rulePath
    const effects = [...leaves].map(
      ([leaf, answer]): Effect => ({
        subject,
        place,
        question: leaf,
        ...(leaf.includes('.') ? { family: leaf.slice(0, leaf.indexOf('.')) } : {}),
        answer,
        isDefault: defaults.get(leaf) === answer,
        because: () => (route.ingress === undefined ? [] : behind(route.ingress, leaf)),
      }),
    )
    if (denied !== undefined) effects.push({ subject, place, question: 'every request', answer: `503: ${denied}` })
    const canary = canaries.get(route.backend)
    for (const [leaf, answer] of canary?.leaves ?? []) {
      const because = (): readonly string[] => canary?.ingresses.flatMap((ref) => behind(ref, leaf)) ?? []
      effects.push({ subject, place, question: leaf, answer, because })
    }
    return effects
  }
}

/** Without the names that a family gives itself: they decide nothing. */
function settingLeaves(features: Location['features']): ReadonlyMap<string, string> {
  return new Map([...flattenValue(features)].filter(([leaf]) => !leaf.endsWith('.id')))
}

interface AttachedCanary {
  readonly leaves: ReadonlyMap<string, string>
  /** Canary Ingresses that name the backend. */
  readonly ingresses: readonly ObjectRef[]
}

/** Canaries by the backend that they are an alternative of. */
function canariesOf(snapshot: ClusterSnapshot, model: Model): ReadonlyMap<string, AttachedCanary> {
  const byName = new Map(model.backends.map((backend) => [backend.name, backend]))
  return new Map(
    model.backends.flatMap(({ name, alternatives }): [string, AttachedCanary][] => {
      const alternative = byName.get(alternatives[0] ?? '')
      if (alternative === undefined) return []
      const leaves = flattenValue({ canary: { backend: alternative.name, ...alternative.canary } })
      return [[name, { leaves, ingresses: ingressesOf(snapshot, alternative) }]]
    }),
  )
}

function ingressesOf(snapshot: ClusterSnapshot, { service }: Backend): readonly ObjectRef[] {
  return [...snapshot.ingresses]
    .filter(
      ({ metadata, spec }) =>
        metadata?.namespace === service?.namespace &&
        spec?.rules?.some(({ http }) => http?.paths?.some(({ backend }) => backend?.service?.name === service?.name)),
    )
    .map(({ metadata }) => ({ kind: 'Ingress', namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' }))
}

function serverEffects(server: Server, model: Model): readonly Effect[] {
  const { host, locations: _asked, certificate, ...rest } = server
  const subject = `host ${host}`
  const effects = [...flattenValue(rest)].map(
    ([leaf, answer]): Effect => ({
      subject,
      place: 'every path',
      question: leaf,
      answer,
      isDefault: answer === 'false' || answer === nothing,
    }),
  )
  if (certificate === undefined) return effects
  return [...effects, { subject, question: 'certificate', answer: explainCertificate(model, host).what }]
}

function globalEffects({ settings: values, global, options }: Model): readonly Effect[] {
  const because = (): readonly string[] => (options.configMap === undefined ? [] : [`ConfigMap ${options.configMap}`])
  const fallbacks = flattenValue(
    Object.fromEntries(Object.entries(settings).map(([key, { fallback }]) => [key, fallback])),
  )
  return [...flattenValue(values), ...flattenValue(global)].map(([question, answer]) => ({
    subject: 'every host',
    question,
    answer,
    isDefault: answer === nothing || fallbacks.get(question) === answer,
    because,
  }))
}

function streamEffect({ protocol, port, service, ...rest }: Model['stream'][number]): Effect {
  const { namespace, name } = service
  const details = [...flattenValue(rest)].map(([leaf, text]) => `${leaf} ${text}`).join(', ')
  return { subject: `port ${port}/${protocol}`, question: 'goes to', answer: `${namespace}/${name}: ${details}` }
}
