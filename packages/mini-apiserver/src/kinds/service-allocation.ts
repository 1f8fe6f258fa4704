// Cluster addresses, families, node ports and health check ports of a Service; what an update keeps and gives back.
// Source: kube-apiserver 1.37 `pkg/registry/core/service/storage/alloc.go` and `strategy.go`.

import { familyOf } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { invalidValue, required } from '../field-error.ts'
import { type JsonObject, numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import type { ServicePools, WriteContext } from './write-context.ts'

type Family = 'IPv4' | 'IPv6'

/** Carries over from the old Service what a replace may leave out, and drops what the new type has no use for. */
export function dropUnneeded(service: ApiObject, old: ApiObject): void {
  const spec = objectAt(service, 'spec')
  const before = objectAt(old, 'spec')
  service['spec'] = spec
  spec['type'] ??= 'ClusterIP'
  const type = textAt(spec, 'type')
  const wasExternalName = textAt(before, 'type') === 'ExternalName'
  if (type === 'ExternalName')
    dropFor(spec, before, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'])
  else if (!wasExternalName) {
    followChangedAddress(spec, before)
    spec['clusterIP'] ??= before['clusterIP']
    if (spec['clusterIPs'] === undefined && spec['clusterIP'] === before['clusterIP'])
      spec['clusterIPs'] = before['clusterIPs']
    spec['ipFamilies'] ??= before['ipFamilies']
    spec['ipFamilyPolicy'] ??= before['ipFamilyPolicy']
  }
  const isExternal = type === 'NodePort' || type === 'LoadBalancer'
  if (isExternal) keepNodePorts(spec, before)
  else {
    const had = nodePortsOf(before)
    for (const port of objectsAt(spec, 'ports')) if (had.has(numberAt(port, 'nodePort') ?? -1)) delete port['nodePort']
    if (textsAt(spec, 'externalIPs').length === 0) dropFor(spec, before, ['externalTrafficPolicy'])
  }
  if (type !== 'LoadBalancer') dropFor(spec, before, ['allocateLoadBalancerNodePorts', 'loadBalancerClass'])
  const needsHealthPort = type === 'LoadBalancer' && (spec['externalTrafficPolicy'] ?? 'Cluster') === 'Local'
  if (needsHealthPort) spec['healthCheckNodePort'] ??= before['healthCheckNodePort']
  else dropFor(spec, before, ['healthCheckNodePort'])
  for (const key of Object.keys(spec)) if (spec[key] === undefined) delete spec[key]
}

// Who changes `clusterIP` alone means `clusterIPs`, too (`NormalizeClusterIPs`).
function followChangedAddress(spec: JsonObject, before: JsonObject): void {
  const isSame = JSON.stringify(spec['clusterIPs']) === JSON.stringify(before['clusterIPs'])
  if ((!isSame && spec['clusterIPs'] !== undefined) || spec['clusterIP'] === before['clusterIP']) return
  if (spec['clusterIP'] === undefined) delete spec['clusterIPs']
  else spec['clusterIPs'] = [spec['clusterIP']]
}

// A field that the client changed itself is left for validation to refuse.
function dropFor(spec: JsonObject, before: JsonObject, keys: readonly string[]): void {
  for (const key of keys) {
    if (JSON.stringify(spec[key]) === JSON.stringify(before[key])) delete spec[key]
  }
}

function nodePortsOf(spec: JsonObject): Set<number> {
  return new Set(objectsAt(spec, 'ports').flatMap((port) => numberAt(port, 'nodePort') ?? []))
}

// A replace without node ports keeps those of the ports it still has.
function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  const used = nodePortsOf(spec)
  for (const port of objectsAt(spec, 'ports')) {
    if (numberAt(port, 'nodePort')) continue
    const same = objectsAt(before, 'ports').find(
      (old) => old['port'] === port['port'] && (old['protocol'] ?? 'TCP') === (port['protocol'] ?? 'TCP'),
    )
    const nodePort = same && numberAt(same, 'nodePort')
    if (!nodePort || used.has(nodePort)) continue
    used.add(nodePort)
    port['nodePort'] = nodePort
  }
}

/** Gives the Service what it lacks; causes when something asked for cannot be given. */
export function allocateService(service: ApiObject, context: WriteContext, old?: ApiObject): Cause[] {
  const spec = objectAt(service, 'spec')
  const before = old && objectAt(old, 'spec')
  const familyCauses = textAt(spec, 'type') === 'ExternalName' ? [] : setFamilies(spec, context.pools)
  if (familyCauses.length > 0) return familyCauses
  const causes = textAt(spec, 'type') === 'ExternalName' ? [] : allocateAddresses(spec, context, before)
  return causes.length > 0 ? causes : allocatePorts(spec, context, before)
}

function setFamilies(spec: JsonObject, pools: ServicePools): Cause[] {
  const asked = textsAt(spec, 'clusterIPs').filter((address) => address !== 'None' && address !== '')
  const isHeadlessWithoutSelector = spec['clusterIP'] === 'None' && Object.keys(objectAt(spec, 'selector')).length === 0
  const families = textsAt(spec, 'ipFamilies') as Family[]
  const given = textAt(spec, 'ipFamilyPolicy')
  const usual = isHeadlessWithoutSelector && pools.families.length > 1 ? 'RequireDualStack' : 'SingleStack'
  const policy = given === '' ? usual : given
  const several = families.length > 1 ? 'IP families' : asked.length > 1 ? 'cluster IPs' : undefined
  // An update that asks for one family only drops the second of both lists.
  const isDowngrade = given === 'SingleStack' && families.length > 1 && asked.length === families.length
  if (policy === 'SingleStack' && several !== undefined && !isDowngrade) {
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${several} are specified`
    return [invalidValue('spec.ipFamilyPolicy', policy, detail)]
  }
  for (const [i, address] of asked.entries()) {
    const family: Family = familyOf(address) === 4 ? 'IPv4' : 'IPv6'
    const wanted = families[i]
    if (wanted === undefined) families.push(family)
    else if (wanted !== family) {
      const detail = `expected an ${wanted} value as indicated by \`ipFamilies[${i}]\``
      return [invalidValue(`spec.clusterIPs[${i}]`, address, detail)]
    }
  }
  const unknown = families.findIndex((family) => !pools.families.includes(family))
  if (unknown >= 0 && !isHeadlessWithoutSelector) {
    return [invalidValue(`spec.ipFamilies[${unknown}]`, families[unknown], 'not configured on this cluster')]
  }
  if (policy === 'RequireDualStack' && pools.families.length < 2 && !isHeadlessWithoutSelector) {
    return [invalidValue('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services')]
  }
  if (families.length === 0) families.push(pools.families[0] ?? 'IPv4')
  if (policy !== 'SingleStack' && families.length === 1) {
    const other: Family = families[0] === 'IPv4' ? 'IPv6' : 'IPv4'
    if (pools.families.includes(other) || isHeadlessWithoutSelector) families.push(other)
  }
  spec['ipFamilyPolicy'] = policy
  spec['ipFamilies'] = policy === 'SingleStack' ? families.slice(0, 1) : families
  return []
}

function allocateAddresses(
  spec: JsonObject,
  { pools, isDryRun, trustsAddresses }: WriteContext,
  before?: JsonObject,
): Cause[] {
  if (spec['clusterIP'] === 'None') {
    spec['clusterIPs'] = ['None']
    return []
  }
  const owned = new Set(before ? textsAt(before, 'clusterIPs') : [])
  const asked = textsAt(spec, 'clusterIPs').filter((address) => address !== '')
  for (const address of asked) {
    if (owned.has(address)) continue
    const problem =
      !trustsAddresses && !pools.isInRange(address)
        ? 'the provided network does not match the current range'
        : pools.isAddressTaken(address)
          ? 'provided IP is already allocated'
          : undefined
    if (problem !== undefined) {
      return [invalidValue('spec.clusterIPs', asked, `failed to allocate IP ${address}: ${problem}`)]
    }
  }
  const addresses = textsAt(spec, 'ipFamilies').map((family, i) => {
    // COMPAT: a rehearsal shows the range's own address.
    return asked[i] ?? (isDryRun ? pools.rangeAddress(family as Family) : pools.freeAddress(family as Family))
  })
  const got = addresses.filter((address) => address !== undefined)
  if (got.length < addresses.length)
    return [required('spec.clusterIPs', 'failed to allocate a service IP: range is full')]
  spec['clusterIP'] = got[0]
  spec['clusterIPs'] = got
  return []
}

function allocatePorts(spec: JsonObject, { pools, trustsAddresses }: WriteContext, before?: JsonObject): Cause[] {
  const type = textAt(spec, 'type')
  const wantsPorts = type === 'NodePort' || (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false)
  const ports = objectsAt(spec, 'ports')
  const owned = new Set(before ? [...nodePortsOf(before), numberAt(before, 'healthCheckNodePort') ?? -1] : [])
  const chosen = new Set(nodePortsOf(spec))
  for (const [i, port] of ports.entries()) {
    const asked = numberAt(port, 'nodePort')
    if (asked && type !== 'NodePort' && type !== 'LoadBalancer') {
      return [
        {
          reason: 'FieldValueForbidden',
          field: `spec.ports[${i}].nodePort`,
          message: "Forbidden: may not be used when `type` is 'ClusterIP'",
        },
      ]
    }
    if (!asked) continue
    const isTwice = ports
      .slice(0, i)
      .some((other) => other['nodePort'] === asked && other['protocol'] === port['protocol'])
    if (isTwice) return [invalidValue(`spec.ports[${i}].nodePort`, asked, 'provided port is already allocated')]
    if (owned.has(asked)) continue
    const problem = portProblem(asked, textAt(port, 'protocol'), pools, trustsAddresses)
    if (problem !== undefined) return [invalidValue(`spec.ports[${i}].nodePort`, asked, problem)]
  }
  if (wantsPorts) {
    for (const port of ports) if (!numberAt(port, 'nodePort')) givePort(port, ports, chosen, pools)
  }
  const needsHealthPort = type === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local'
  if (needsHealthPort && !numberAt(spec, 'healthCheckNodePort')) {
    const free = pools.freePort(chosen)
    if (free !== undefined) spec['healthCheckNodePort'] = free
  }
  return []
}

function portProblem(port: number, protocol: string, pools: ServicePools, isTrusted: boolean): string | undefined {
  const { firstPort, lastPort } = pools
  if (!isTrusted && (port < firstPort || port > lastPort)) {
    return `provided port is not in the valid range. The range of valid ports is ${firstPort}-${lastPort}`
  }
  return pools.isPortTaken(port, protocol) ? 'provided port is already allocated' : undefined
}

// One number serves the same service port over TCP and UDP (a DNS Service gets a single node port).
function givePort(port: JsonObject, ports: readonly JsonObject[], chosen: Set<number>, pools: ServicePools): void {
  const sibling = ports.find(
    (other) =>
      other !== port &&
      other['port'] === port['port'] &&
      other['protocol'] !== port['protocol'] &&
      other['nodePort'] !== undefined,
  )
  const shared = sibling && numberAt(sibling, 'nodePort')
  if (shared && !pools.isPortTaken(shared, textAt(port, 'protocol'))) {
    port['nodePort'] = shared
    return
  }
  const free = pools.freePort(chosen)
  if (free === undefined) return
  chosen.add(free)
  port['nodePort'] = free
}
