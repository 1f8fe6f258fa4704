// The format of proxy scenarios

// Packets with what becomes of them, for whoever can send them
export { type PacketTable, packetTables } from '../testing/packet-tables.ts'
// Who answers
export type { CaseDriver, CaseTracked, FlowResult } from './case-driver.ts'
export { configurationOf, familiesOf, flowName, localAddressesOf, machineOf, nodeOf } from './case-options.ts'
// The judge
export {
  chainDifference,
  isListedChain,
  readSaved,
  ruleToSaveForm,
  type SavedTables,
  toSaveForm,
} from './compare-saved.ts'
export { applyTableChanges, compareTables } from './compare-tables.ts'
export { configureCase } from './configure-case.ts'
export { differ } from './differ.ts'
export { type CaseConfigurator, createLibraryDriver } from './library-driver.ts'
export {
  type CaseConfig,
  type CaseFlow,
  type CaseRequest,
  type CaseStep,
  type CaseSync,
  type CaseTrackedFlow,
  isProxyCase,
  type Manifest,
  type NftTables,
  type ProxyCase,
  proxyCaseKeys,
  type SavedState,
} from './proxy-case.ts'
export { runProxyCase } from './run-proxy-case.ts'
