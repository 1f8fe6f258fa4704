// Files whose steps are words: a hand-written test each, that reads the file.

import type { CaseFile, ProbeResult } from '../../area.ts'
import { type Checks, createChecks } from './check.ts'
import { configDecodingCase, configDefaultsCase, configValidationCase } from './configuration.ts'
import { healthPortsCase } from './health-ports.ts'
import {
  chainNamesCase,
  conntrackSysctlsCase,
  nodeIpCase,
  nodePortAddressCase,
  ruleCountsCase,
} from './names-and-counts.ts'
import { cleanupCase, failedSyncCase, jumpRulesCase, jumpRulesKeptCase, startOrderCase } from './syncs.ts'
import { canaryCase, healthCase, syncRunnerCase } from './timelines.ts'
import { conntrackWhenCase } from './tracked-flows.ts'
import { serviceChangeTrackerCase, sliceChangeTrackerCase } from './trackers.ts'

const cases: Readonly<Record<string, (data: CaseFile['data'], checks: Checks) => void | Promise<void>>> = {
  'canary-monitor': canaryCase,
  'chain-names': chainNamesCase,
  'cleanup-leftovers': cleanupCase,
  'config-decoding': configDecodingCase,
  'config-defaults': configDefaultsCase,
  'config-validation': configValidationCase,
  'conntrack-sysctls': conntrackSysctlsCase,
  'conntrack-when-it-runs': conntrackWhenCase,
  'endpointslice-change-tracker': sliceChangeTrackerCase,
  'failed-sync': failedSyncCase,
  'health-check-node-port-server': healthPortsCase,
  'healthz-and-livez': healthCase,
  'jump-rules': jumpRulesCase,
  'jump-rules-kept': jumpRulesKeptCase,
  'node-ip-detection': nodeIpCase,
  'node-port-address-resolution': nodePortAddressCase,
  'rule-counts': ruleCountsCase,
  'service-change-tracker': serviceChangeTrackerCase,
  'start-order': startOrderCase,
  'sync-runner': syncRunnerCase,
}

/** Runs a file of a word format. */
export async function runWordCase(format: string, file: CaseFile): Promise<readonly ProbeResult[]> {
  const run = cases[format]
  if (run === undefined) return [{ probe: format, outcome: 'failed', detail: 'no test for this format' }]
  const checks = createChecks()
  await run(file.data, checks)
  return checks.results
}
