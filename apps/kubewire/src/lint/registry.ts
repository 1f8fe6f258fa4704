// Every lint rule, in the order of their names.

import { duplicateNodePort } from './duplicate-node-port.ts'
import { externalNameLoop } from './external-name-loop.ts'
import { ingressBackendMissing } from './ingress-backend-missing.ts'
import type { LintRule } from './lint-rule.ts'
import { nodePortBypassesRanges } from './node-port-bypasses-ranges.ts'
import { portNameMismatch } from './port-name-mismatch.ts'
import { serviceWithoutEndpoints } from './service-without-endpoints.ts'
import { shadowedPath } from './shadowed-path.ts'
import { snippetUse } from './snippet-use.ts'
import { sourceRangesOneFamily } from './source-ranges-one-family.ts'

/** The list. */
export const lintRules: readonly LintRule[] = [
  duplicateNodePort,
  externalNameLoop,
  ingressBackendMissing,
  nodePortBypassesRanges,
  portNameMismatch,
  serviceWithoutEndpoints,
  shadowedPath,
  snippetUse,
  sourceRangesOneFamily,
]
