// What a pod's resolv.conf says: which servers it asks, its search list and ndots.
// Source: Kubernetes pkg/kubelet/network/dns/dns.go (GetPodDNS); resolv.conf(5).

import { type KubeObject, type Pod, printRef, refOf, withDefaultNamespace } from '@kubewire/kube-model'

/** The resolver of a pod. */
export interface PodResolver {
  /** Suffixes in the order in which they are tried, absolute. */
  readonly searches: readonly string[]
  /** Names with at least so many dots are asked as they are before the suffixes are tried. */
  readonly ndots: number
  /** What is other than in a pod with dnsPolicy ClusterFirst, for people; none there. */
  readonly notes: readonly string[]
}

type PodSpec = NonNullable<Pod['spec']>

/** The resolver that the kubelet gives to a pod of a namespace. The node's own search list is not known here. */
export function podResolver(spec: PodSpec, namespace: string, zone = 'cluster.local.'): PodResolver {
  const { dnsConfig: { nameservers = [], searches = [], options = [] } = {} } = spec
  const policy = policyOf(spec)
  const isCluster = policy.startsWith('ClusterFirst')
  const own = isCluster ? [`${namespace}.svc.${zone}`, `svc.${zone}`, zone] : []
  const added = searches.map((suffix) => (suffix.endsWith('.') ? suffix : `${suffix}.`))
  const ndots = Number(options.find(({ name }) => name === 'ndots')?.value ?? (isCluster ? 5 : 1))
  const servers = nameservers.join(' and ')
  const notes = [
    policy === 'None' ? `dnsPolicy None: this pod asks ${servers || 'nobody'}, not the DNS server of the cluster` : '',
    policy === 'Default' ? `${whyDefault(spec)}: this pod asks the name servers of its node, with its search list` : '',
    policy !== 'None' && servers !== '' ? `dnsConfig: when no server answers in time, ${servers} is asked` : '',
    searches.length > 0 ? `dnsConfig: the search list has ${searches.join(', ')} as well` : '',
    isCluster && ndots !== 5 ? `dnsConfig: ndots is ${ndots} in place of 5` : '',
  ]
  return { searches: [...new Set([...own, ...added])], ndots, notes: notes.filter((note) => note !== '') }
}

/** The spec of a pod, or of the workload of the files that would make a pod of that name. */
export function podSpecOf(objects: Iterable<KubeObject>, namespace: string, name: string): PodSpec {
  const wanted = [`Pod ${namespace}/${name}`]
  const owner = /^(.+)-\d+$/.exec(name)?.[1]
  if (owner !== undefined) wanted.push(...workloadKinds.map((kind) => `${kind} ${namespace}/${owner}`))
  const found = [...objects].filter((object) => wanted.includes(printRef(refOf(withDefaultNamespace(object)))))
  const pod = found.find(({ kind }) => kind === 'Pod') ?? found[0]
  const { spec } = (pod ?? {}) as { readonly spec?: PodSpec & { readonly template?: Pod } }
  return (pod?.kind === 'Pod' ? spec : spec?.template?.spec) ?? {}
}

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']

function policyOf({ dnsPolicy = 'ClusterFirst', hostNetwork = false }: PodSpec): string {
  return dnsPolicy === 'ClusterFirst' && hostNetwork ? 'Default' : dnsPolicy
}

function whyDefault({ dnsPolicy = 'ClusterFirst' }: PodSpec): string {
  return dnsPolicy === 'Default' ? 'dnsPolicy Default' : 'hostNetwork without dnsPolicy ClusterFirstWithHostNet'
}
