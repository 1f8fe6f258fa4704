// Who serves requests, and with which settings: every path of every host, over HTTP and, where the host has TLS, HTTPS.

import type { ClusterSnapshot } from '@kubewire/kube-model'
import { type Model, renderConfig, sourceTree } from '@kubewire/nginx-gen'
import { printAnswer } from '../ask/ask-request.ts'
import { explainDataPlane, servingBackends } from '../ask/ingress-backend.ts'
import { simulateIngress } from '../ask/simulate-ingress.ts'
import { translateInput } from '../input/ingress-input.ts'
import type { Effect } from './effect.ts'
import { settingEffects } from './setting-effects.ts'

/** One effect for each host, scheme and path that a rule writes, and for each setting. */
export function ingressEffects(
  snapshot: ClusterSnapshot,
  values: Parameters<typeof translateInput>[1],
): readonly Effect[] {
  const { value: model } = translateInput(snapshot, values)
  return [...requestEffects(model), ...settingEffects(snapshot, model)]
}

function requestEffects(model: Model): readonly Effect[] {
  const nodes = sourceTree(renderConfig(model))
  return model.servers.flatMap(({ host, locations }) => {
    const schemes = Object.hasOwn(model.tls.hosts, host) ? (['http', 'https'] as const) : (['http'] as const)
    const name = host === '_' ? 'unknown.example.org' : host.replace(/^\*/, 'any')
    const paths = new Set(locations.flatMap(({ route }) => examplesOf(route.rulePath, route.match)))
    return schemes.flatMap((scheme) =>
      [...paths].map((path): Effect => {
        const request = { scheme, host: name, path }
        const { outcome } = simulateIngress(model, request, nodes)
        const serving = servingBackends(model, outcome.kind === 'proxy' ? outcome.upstream : undefined, request)
        // The certificate is that of the host, whatever the path.
        const behind = explainDataPlane(model, serving, { ...request, scheme: 'http' })
        return {
          subject: `host ${host}`,
          question: `GET ${scheme}://${name}${path}`,
          answer: [printAnswer(model, outcome, serving), ...behind.map(({ where, what }) => `${where}: ${what}`)].join(
            '; ',
          ),
        }
      }),
    )
  })
}

/** Request paths that a rule's path is about: itself, and something below a prefix; of an expression its plain start. */
function examplesOf(path: string, match: Model['servers'][number]['locations'][number]['route']['match']): string[] {
  if (match === 'exact') return [path]
  if (match === 'prefix') return [path, `${path.replace(/\/$/, '')}/below`]
  const [plain = '/'] = /^\/[\w/.-]*/.exec(path) ?? []
  return [plain, `${plain.replace(/\/$/, '')}/below`]
}
