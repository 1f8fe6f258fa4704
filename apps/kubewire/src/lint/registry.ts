// Every lint rule, in the order of their names.

import type { LintRule } from './lint-rule.ts'
import { duplicateNodePort } from './rules/duplicate-node-port.ts'
import { externalNameLoop } from './rules/external-name-loop.ts'
import { ingressBackendMissing } from './rules/ingress-backend-missing.ts'
import { nodePortBypassesRanges } from './rules/node-port-bypasses-ranges.ts'
import { portNameMismatch } from './rules/port-name-mismatch.ts'
import { serviceWithoutEndpoints } from './rules/service-without-endpoints.ts'
import { shadowedPath } from './rules/shadowed-path.ts'
import { snippetUse } from './rules/snippet-use.ts'
import { sourceRangesOneFamily } from './rules/source-ranges-one-family.ts'

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
