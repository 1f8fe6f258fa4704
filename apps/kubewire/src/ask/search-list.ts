// What a pod's resolver makes of a name: the names it asks for, in order (resolv.conf(5); Kubernetes dnsPolicy
// ClusterFirst: `search NS.svc.ZONE svc.ZONE ZONE`, `options ndots:5`).

const ndots = 5

/** The absolute names that a resolver tries for `name` in a pod of `namespace`, in order. */
export function searchNames(name: string, namespace: string, zone = 'cluster.local.'): string[] {
  if (name.endsWith('.')) return [name]
  const searched = [`${namespace}.svc.${zone}`, `svc.${zone}`, zone].map((suffix) => `${name}.${suffix}`)
  const dots = name.split('.').length - 1
  return dots >= ndots ? [`${name}.`, ...searched] : [...searched, `${name}.`]
}
