// Flags

export { type Clock, type FakeClock, fakeClock, systemClock } from './clock.ts'
// Clusters
export { type ConnectClusterOptions, connectCluster } from './cluster.ts'
export {
  type FlagDefinition,
  type FlagOptions,
  type FlagTable,
  type FlagValues,
  type ParsedFlags,
  parseFlags,
} from './go-flags.ts'
export {
  type EndpointHandler,
  type EndpointOptions,
  type EndpointReply,
  type EndpointRequest,
  type Endpoints,
  serveEndpoints,
} from './http-endpoints.ts'
// Logs, metrics, endpoints
export { createLog, type Log, type LogFields, type LogLevel, type LogOptions, type LogValue } from './log.ts'
export { type ManifestClusterOptions, manifestCluster } from './manifest-source.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { printFlags } from './print-flags.ts'
// Codes
export { kitProblemCodes } from './problem-codes.ts'
export { seededRandom, systemRandom } from './random.ts'
// Programs, files
export { CommandError, type CommandOptions, type CommandResult, runCommand } from './run-command.ts'
// Lifetime, time, randomness
export { createShutdown, type Shutdown, type ShutdownOptions } from './shutdown.ts'
// The sync loop and its pure half
export { createSyncLoop, type SyncLoop, type SyncLoopOptions } from './sync-loop.ts'
export {
  initialSyncState,
  type SyncCommand,
  type SyncEvent,
  type SyncLimits,
  type SyncState,
  syncStep,
} from './sync-machine.ts'
export {
  type FileState,
  type WatchDirectoryOptions,
  type WatchFileOptions,
  watchDirectory,
  watchFile,
} from './watch-file.ts'
export { writeAtomic } from './write-atomic.ts'
