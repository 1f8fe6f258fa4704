// A canary is attached to the backend of its path, so whatever else uses that backend gets the canary too
// (ingress-nginx mergeAlternativeBackends).

import { type ClusterSnapshot, type Ingress, printRef, sortedObjects } from '@kubewire/kube-model'
import { defaultBackendName } from '@kubewire/nginx-gen'
import { canaryOfATenth, exampleIngress, exampleService } from '../example-objects.ts'
import { isCanary } from '../ingress-annotations.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { outcomeOf, translationOf } from '../translation-of.ts'

/** The rule. */
export const canaryReachesElsewhere: LintRule = {
  id: 'canary-reaches-elsewhere',
  severity: 'warning',
  summary: 'a canary also gets requests of hosts or paths that it does not name',
  docs: 'The share of a canary is kept with the Service port that the main path leads to. Every other path or host that leads to the same Service port sends its share to the canary too. Put a second Service in front of the same pods and let the canary path use that one.',
  example:
    exampleService('tea', true) +
    exampleService('tea-next', true) +
    exampleIngress({
      rules: [
        ['shop.example.org', '/', 'tea'],
        ['partner.example.org', '/', 'tea'],
      ],
    }) +
    '---\n' +
    exampleIngress({
      name: 'front-canary',
      annotations: canaryOfATenth,
      rules: [['shop.example.org', '/', 'tea-next']],
    }),
  check: (snapshot) => {
    const { backends, servers } = translationOf(snapshot).value
    const places = servers.flatMap(({ host, locations }) =>
      locations.map(({ route }) => ({ place: `${host}${route.rulePath}`, backend: route.backend })),
    )
    return sortedObjects(snapshot.ingresses)
      .filter(isCanary)
      .flatMap((ingress): LintFinding[] => {
        const named = placesOf(ingress)
        const alternatives = backends.filter(
          ({ canary, service }) =>
            canary !== undefined && named.services.has(service === undefined ? '' : printRef(service)),
        )
        const names = new Set(alternatives.map(({ name }) => name))
        const mains = new Set(
          backends
            .filter((main) => main.name !== defaultBackendName && main.alternatives.some((name) => names.has(name)))
            .map(({ name }) => name),
        )
        const others = places.filter(({ place, backend }) => mains.has(backend) && !named.places.has(place))
        const unique = [...new Set(others.map(({ place }) => place))]
          .filter((place) => isServed(snapshot, place))
          .sort()
        return unique.length === 0
          ? []
          : [
              finding(
                ingress,
                'spec.rules',
                `requests for ${unique.join(', ')} go to it too: they use the same Service port`,
              ),
            ]
      })
  },
}

/** Whether requests get as far as a backend: a place that only redirects sends nobody anywhere. */
function isServed(snapshot: ClusterSnapshot, place: string): boolean {
  const [, host = '', path = '/'] = /^([^/]*)(.*)$/.exec(place) ?? []
  const scheme = Object.hasOwn(translationOf(snapshot).value.tls.hosts, host) ? 'https' : 'http'
  const [plain = '/'] = /^\/[\w/.-]*/.exec(path) ?? []
  return outcomeOf(snapshot, { scheme, host: host.replace(/^\*/, 'any'), path: plain }).kind !== 'answer'
}

function placesOf({ metadata, spec }: Ingress): {
  readonly places: ReadonlySet<string>
  readonly services: ReadonlySet<string>
} {
  const paths = (spec?.rules ?? []).flatMap(({ host = '_', http }) =>
    (http?.paths ?? []).map(({ path = '/', backend }) => ({
      place: `${host}${path}`,
      name: backend?.service?.name ?? '',
    })),
  )
  return {
    places: new Set(paths.map(({ place }) => place)),
    services: new Set(paths.map(({ name }) => `Service ${metadata?.namespace}/${name}`)),
  }
}
