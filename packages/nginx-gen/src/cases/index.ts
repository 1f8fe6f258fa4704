// The format of Ingress scenarios

export { createObjectCompleter } from './complete-objects.ts'
// The judge
export { checkConfigFacts } from './config-facts.ts'
export { fillPlaceholders, type PlaceholderValues } from './fill-placeholders.ts'
export { fits, holds } from './fits.ts'
export {
  type AdmissionSpec,
  type BackendSpec,
  type CertificateSpec,
  type ConfigSpec,
  type CookieSpec,
  type ExpectSpec,
  type IngressCase,
  ingressCaseKeys,
  isIngressCase,
  type KeyPair,
  type MetricSpec,
  type RequestSpec,
  type SeenSpec,
  type StatusSpec,
  type StepSpec,
} from './ingress-case.ts'
// Who answers
export { ingressCaseText, runIngressCase } from './run-ingress-case.ts'
export { type SimulatedWorld, simulateProbe } from './simulate-probe.ts'
