// Every lint rule, in the order of their names.

import type { LintRule } from './lint-rule.ts'
import { annotationRefused } from './rules/annotation-refused.ts'
import { annotationUnknown } from './rules/annotation-unknown.ts'
import { canaryReachesElsewhere } from './rules/canary-reaches-elsewhere.ts'
import { canaryWithoutMain } from './rules/canary-without-main.ts'
import { defaultBackendOfHosts } from './rules/default-backend-of-hosts.ts'
import { duplicateClusterIp } from './rules/duplicate-cluster-ip.ts'
import { duplicateNodePort } from './rules/duplicate-node-port.ts'
import { externalIpsTaken } from './rules/external-ips-taken.ts'
import { externalNameLoop } from './rules/external-name-loop.ts'
import { familyWithoutEndpoints } from './rules/family-without-endpoints.ts'
import { headlessWithoutReady } from './rules/headless-without-ready.ts'
import { httpsPortAsHttp } from './rules/https-port-as-http.ts'
import { ingressBackendMissing } from './rules/ingress-backend-missing.ts'
import { ingressOfNobody } from './rules/ingress-of-nobody.ts'
import { localPolicyBlackhole } from './rules/local-policy-blackhole.ts'
import { ndotsCost } from './rules/ndots-cost.ts'
import { nodePortBypassesRanges } from './rules/node-port-bypasses-ranges.ts'
import { pathTypeRefused } from './rules/path-type-refused.ts'
import { plainHttpDespiteTls } from './rules/plain-http-despite-tls.ts'
import { portNameMismatch } from './rules/port-name-mismatch.ts'
import { proxyRefuses } from './rules/proxy-refuses.ts'
import { redirectLoop } from './rules/redirect-loop.ts'
import { regexSpreadsOverHost } from './rules/regex-spreads-over-host.ts'
import { rewriteDropsPath } from './rules/rewrite-drops-path.ts'
import { serviceWithoutEndpoints } from './rules/service-without-endpoints.ts'
import { shadowedPath } from './rules/shadowed-path.ts'
import { snippetUse } from './rules/snippet-use.ts'
import { sourceRangesOneFamily } from './rules/source-ranges-one-family.ts'
import { tlsCertificateUnusable } from './rules/tls-certificate-unusable.ts'
import { tlsSecretConflict } from './rules/tls-secret-conflict.ts'
import { tlsSecretMissing } from './rules/tls-secret-missing.ts'

/** The list. */
export const lintRules: readonly LintRule[] = [
  annotationRefused,
  annotationUnknown,
  canaryReachesElsewhere,
  canaryWithoutMain,
  defaultBackendOfHosts,
  duplicateClusterIp,
  duplicateNodePort,
  externalIpsTaken,
  externalNameLoop,
  familyWithoutEndpoints,
  headlessWithoutReady,
  httpsPortAsHttp,
  ingressBackendMissing,
  ingressOfNobody,
  localPolicyBlackhole,
  ndotsCost,
  nodePortBypassesRanges,
  pathTypeRefused,
  plainHttpDespiteTls,
  portNameMismatch,
  proxyRefuses,
  redirectLoop,
  regexSpreadsOverHost,
  rewriteDropsPath,
  serviceWithoutEndpoints,
  shadowedPath,
  snippetUse,
  sourceRangesOneFamily,
  tlsCertificateUnusable,
  tlsSecretConflict,
  tlsSecretMissing,
]
