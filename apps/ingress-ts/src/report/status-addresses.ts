// Which addresses an Ingress shows in its status. Pure. Source: ingress-nginx 1.15 internal/ingress/status/status.go.

import { compareText, type LoadBalancerIngress, type Node, type Pod, parseIp, type Service } from '@kubewire/kube-model'

/** Where the addresses come from: the first that is given decides. */
export interface AddressSources {
  /** `--publish-status-address`. */
  readonly published: string
  /** The Service of `--publish-service`. */
  readonly service: Service | undefined
  /** Running pods of this controller and the nodes they run on. */
  readonly pods: readonly Pod[]
  readonly nodes: readonly Node[]
  readonly usesInternalAddresses: boolean
}

/** The addresses, sorted by host name, then IP; without duplicates. */
export function statusAddresses(sources: AddressSources): readonly LoadBalancerIngress[] {
  const found = addressesOf(sources)
  const unique = new Map(found.map((one) => [`${one.hostname ?? ''} ${one.ip ?? ''}`, one] as const))
  return [...unique.values()].sort(
    (a, b) => compareText(a.hostname ?? '', b.hostname ?? '') || compareText(a.ip ?? '', b.ip ?? ''),
  )
}

function addressesOf(sources: AddressSources): readonly LoadBalancerIngress[] {
  if (sources.published !== '') return sources.published.split(',').map((one) => entryOf(one.trim()))
  if (sources.service !== undefined) return serviceAddresses(sources.service)
  return sources.pods.flatMap((pod) => {
    const node = sources.nodes.find((one) => one.metadata?.name === pod.spec?.nodeName)
    return isReady(pod) && node !== undefined ? nodeAddresses(node, sources.usesInternalAddresses) : []
  })
}

function entryOf(text: string): LoadBalancerIngress {
  return parseIp(text) === undefined ? { hostname: text } : { ip: text }
}

function serviceAddresses({ spec, status }: Service): readonly LoadBalancerIngress[] {
  const external = (spec?.externalIPs ?? []).map((ip) => ({ ip }))
  switch (spec?.type) {
    case 'ExternalName':
      return spec.externalName === undefined ? [] : [{ hostname: spec.externalName }]
    case 'LoadBalancer': {
      const balanced = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
        ...(ip ? { ip } : {}),
        ...(hostname ? { hostname } : {}),
      }))
      const known = new Set(balanced.map((one) => one.ip))
      return [...balanced, ...external.filter(({ ip }) => !known.has(ip))]
    }
    case 'NodePort':
      return external.length > 0 ? external : clusterAddress(spec.clusterIP)
    default:
      return clusterAddress(spec?.clusterIP)
  }
}

function clusterAddress(clusterIP: string | undefined): readonly LoadBalancerIngress[] {
  return clusterIP === undefined || clusterIP === '' || clusterIP === 'None' ? [] : [{ ip: clusterIP }]
}

function isReady({ status }: Pod): boolean {
  return (
    status?.phase === 'Running' &&
    status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true
  )
}

function nodeAddresses({ status }: Node, usesInternal: boolean): readonly LoadBalancerIngress[] {
  const ofType = (type: string): readonly LoadBalancerIngress[] =>
    (status?.addresses ?? [])
      .filter((one) => one.type === type && one.address !== '')
      .map(({ address }) => ({ ip: address }))
  const external = ofType('ExternalIP')
  return usesInternal || external.length === 0 ? ofType('InternalIP') : external
}
