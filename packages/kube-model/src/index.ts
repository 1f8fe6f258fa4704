// Values and prefixes

export { compareText, deepEqual, sortedEntries } from './deep-equal.ts'
export { type Explanation, printExplanation, printPercent } from './explanation.ts'
export { parseGoDuration, printGoDuration } from './go-duration.ts'
export { asPortNumber, type IntOrString } from './int-or-string.ts'
export type { Cidr, Ip, IpFamily } from './ip.ts'
export {
  cidrOf,
  compareIp,
  contains,
  familyBits,
  familyOf,
  ipOf,
  joinHostPort,
  parseCidr,
  parseCidrSloppy,
  parseIp,
  parseIpSloppy,
} from './ip.ts'
export type { LabelSelector, Labels, Requirement, Selector } from './labels.ts'
// Label selectors
export { isLabelKey, isLabelValue, matchesSelector, parseSelector, printSelector, selectorOf } from './labels.ts'
export { nearestWord } from './nearest-word.ts'
// Kinds
export type { ConfigMap } from './objects/config-map.ts'
export type {
  Endpoint,
  EndpointConditions,
  EndpointHints,
  EndpointPort,
  EndpointSlice,
} from './objects/endpoint-slice.ts'
export { serviceNameLabel } from './objects/endpoint-slice.ts'
export type { Ingress, IngressBackend, IngressPath, IngressRule, IngressSpec, IngressTls } from './objects/ingress.ts'
export type { IngressClass } from './objects/ingress-class.ts'
export type { KubeObject, ObjectKey, ObjectMeta, ObjectRef, OwnerReference } from './objects/meta.ts'
// Identity
export { creationTimeMs, keyOf, objectKey, printRef, refOf } from './objects/meta.ts'
export type { Namespace } from './objects/namespace.ts'
export { type Node, zoneLabel } from './objects/node.ts'
export type { Pod, PodContainer, PodDnsConfig } from './objects/pod.ts'
// Scope
export { clusterScopedKinds, withDefaultNamespace } from './objects/scope.ts'
export type { Secret } from './objects/secret.ts'
export type {
  LoadBalancerIngress,
  LoadBalancerStatus,
  Protocol,
  Service,
  ServicePort,
  ServiceSpec,
} from './objects/service.ts'
export type { ServiceCidr } from './objects/service-cidr.ts'
export type { ServiceImport } from './objects/service-import.ts'
export type { Position, Problem, ProblemCode, WithProblems } from './problem.ts'
// Problems and explanations
export { printProblem, quoteFound, withProblems } from './problem.ts'
export { parseQuantity } from './quantity.ts'
export type { ClusterSnapshot, ObjectCollection } from './snapshot.ts'
// Snapshots
export { compareObjects, emptySnapshot, snapshotKinds, snapshotOf, sortedObjects } from './snapshot.ts'
