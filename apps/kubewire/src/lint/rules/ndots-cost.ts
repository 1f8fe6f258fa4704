// Names in the environment of containers that a pod's resolver looks for in its search list first (resolv.conf(5):
// fewer than ndots:5 dots, no final dot): each is asked for four times, for A and AAAA.

import type { KubeObject, Pod } from '@kubewire/kube-model'
import { podResolver } from '../../ask/pod-resolver.ts'
import { searchNames } from '../../ask/search-list.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const ndotsCost: LintRule = {
  id: 'ndots-cost',
  severity: 'note',
  summary: 'a container looks up a full name that its search list makes four questions of',
  docs: 'A pod asks for `api.example.org` in its own namespace, in `svc.cluster.local` and in `cluster.local` before it asks for the name itself, each time for A and AAAA. End the name with a dot, use the short name inside the cluster, or set `dnsConfig.options` ndots to 1 or 2.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata: {name: tea, namespace: shop}
spec:
  selector: {matchLabels: {app: tea}}
  template:
    metadata: {labels: {app: tea}}
    spec:
      containers: [{name: tea, env: [{name: API, value: "https://api.example.org/v1"}]}]
`,
  check: (_snapshot, objects = []) => objects.flatMap(costsOf),
}

type PodSpec = NonNullable<Pod['spec']>

function costsOf(object: KubeObject): LintFinding[] {
  const { spec, path } = podSpecOf(object)
  if (spec === undefined) return []
  const resolver = podResolver(spec, object.metadata?.namespace ?? 'default')
  // Who set ndots has thought of it; who asks the node's servers has another list.
  if (resolver.ndots < 5) return []
  return (spec.containers ?? []).flatMap(({ env = [] }, c) =>
    env.flatMap(({ value = '' }, e): LintFinding[] => {
      const name = hostIn(value)
      if (name === undefined) return []
      const asked = searchNames(name, resolver)
      const cost = asked.indexOf(`${name}.`) + 1
      return cost < 2
        ? []
        : [
            finding(
              object,
              `${path}.containers[${c}].env[${e}].value`,
              `${name} costs ${cost * 2} questions (${cost} names, A and AAAA); with a final dot 2`,
            ),
          ]
    }),
  )
}

function podSpecOf(object: KubeObject): { readonly spec?: PodSpec; readonly path: string } {
  const { spec } = object as { readonly spec?: PodSpec & { readonly template?: Pod } }
  if (object.kind === 'Pod') return spec === undefined ? { path: 'spec' } : { spec, path: 'spec' }
  if (!['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].includes(object.kind ?? '')) return { path: '' }
  const template = spec?.template?.spec
  return template === undefined ? { path: '' } : { spec: template, path: 'spec.template.spec' }
}

/** The host of a URL, or a name that can only be a full one (it ends in the cluster zone). */
function hostIn(value: string): string | undefined {
  const [, inUrl, inCluster] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([a-z0-9.-]*\.[a-z]{2,})(?=[:/?#]|$)|^([a-z0-9.-]+\.svc\.cluster\.local)(?=[:/]|$)/i.exec(
      value,
    ) ?? []
  return (inUrl ?? inCluster)?.toLowerCase()
}
