// Rules as data

// Whether the kernel still holds what was installed
export { type AuditedChain, type AuditTurn, auditChain, auditTurn } from './audit.ts'
// What happens to a packet
export { explainPacket, tracedObjects } from './explain.ts'
export type { Match } from './match/registry.ts'
// nftables mode, from the same facts
export {
  type BuiltNftTable,
  buildNftTable,
  createNftTableBuilder,
  type NftTableBuilder,
} from './nftables/build-table.ts'
export type { NftChanges } from './nftables/changes.ts'
export { auditNftListing, diffFromNothing, diffNftListing, type NftFault } from './nftables/diff-listing.ts'
export { diffNftTables } from './nftables/diff-tables.ts'
export { type ListedTable, listNftTable } from './nftables/list-table.ts'
export type { NftOptions } from './nftables/nft-options.ts'
export { parseNftListing } from './nftables/parse-listing.ts'
export { type NftPlanOptions, type NftStep, planNft, planNftLoad, printNftRemoval } from './nftables/plan-load.ts'
export { type NftOutcome, simulateNftPacket } from './nftables/simulate.ts'
export { type NftTable, nftTableName } from './nftables/table.ts'
// From the installed to the wanted rules
export { type PlanOptions, planRestore, type RestoreStep, type TableEdit } from './plan.ts'
// Services and slices in, rules out
export {
  type BuiltRuleset,
  buildRuleset,
  createRulesetBuilder,
  type ProxySnapshot,
  type RulesetBuilder,
  type ServicesChanged,
} from './proxy/build-ruleset.ts'
export {
  chainNames,
  endpointChain,
  isHashedChain,
  isProxyChain,
  type ServiceChains,
  serviceChains,
} from './proxy/chain-names.ts'
export type { TextDigest } from './proxy/hash.ts'
export { type HealthCheck, type HealthCheckAnswer, healthCheckAnswer, healthChecks } from './proxy/health-checks.ts'
export type { LocalDetector } from './proxy/local-traffic.ts'
export { type NodePortAddresses, nodePortAddresses, type ResolvedNodePorts } from './proxy/node-addresses.ts'
export { type ProxyOptions, proxyOptions } from './proxy/options.ts'
export { invalidCounter } from './proxy/sections/forward.ts'
export { type JumpHook, jumpHooks } from './proxy/sections/jump-hooks.ts'
export { localhostCounter } from './proxy/sections/node-port.ts'
export type { PortView } from './proxy/sections/section.ts'
export { createServiceChanges, type ServiceChanges } from './proxy/service-changes.ts'
export { type AcceptedSlices, createSliceChanges, type SliceChanges } from './proxy/slice-changes.ts'
export { type StaleFlow, staleFlows, type TrackedFlow } from './proxy/stale-flows.ts'
export type { Chain, Policy } from './ruleset/chain.ts'
export type { Rule } from './ruleset/rule.ts'
export { countRules, emptyRuleset, type Ruleset, type Table, type TableName, tableNames } from './ruleset/ruleset.ts'
export type { Machine, Packet, PacketState } from './simulate/packet.ts'
export { simulatePacket } from './simulate/run.ts'
export type { Outcome, Trace, TraceStep } from './simulate/trace.ts'
export type { Target } from './target/registry.ts'
// Text
export { type ParseSaveOptions, parseSave } from './text/parse-save.ts'
export { printRestore, printSave } from './text/print-restore.ts'
export { printRestoreRule, printSaveRule } from './text/print-rule.ts'
export { printStep, printStepParts, type StepPart } from './text/print-step.ts'
export { splitWords } from './text/words.ts'
