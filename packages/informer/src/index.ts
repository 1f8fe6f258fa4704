// Streams of one resource

// Identity, from kube-model
export type { KubeObject, ObjectKey } from '@kubewire/kube-model'
export { keyOf, objectKey } from '@kubewire/kube-model'
// Time and versions
export { type Backoff, type ExponentialBackoffOptions, exponentialBackoff } from './backoff.ts'
export { type Clock, systemClock } from './clock.ts'
export type { InformerEvent, ResourceEvent, UpdateCause } from './event.ts'
export type { Indexers, IndexFunction } from './index-table.ts'
// Informers
export { createInformer, type Informer, type InformerOptions } from './informer.ts'
export { createInformerFactory, type InformerFactory } from './informer-factory.ts'
export type { InformerStatus } from './informer-status.ts'
// Leader election
export { type Leadership, type LeaseOptions, runAsLeader, watchLeadership } from './leadership.ts'
export type { Lease, LeaseSpec } from './lease-machine.ts'
export type { Lister } from './lister.ts'
export { createLister } from './lister.ts'
// Operators
export { batchByKey } from './operators/batch-by-key.ts'
export { changedBy, predicates } from './operators/changed-by.ts'
export { type CoalesceOptions, coalesce } from './operators/coalesce.ts'
export { project } from './operators/project.ts'
export { whenSynced } from './operators/synced.ts'
// Errors
export { type InformerCode, informerCodes } from './problem-codes.ts'
// Work queue
export {
  type ExponentialLimiterOptions,
  type RateLimiter,
  rateLimiters,
} from './rate-limiters.ts'
export { deltas, reflectInto } from './reflect.ts'
// Resources and the port to a cluster
export {
  defineResource,
  identityOf,
  projectObject,
  type Resource,
  type ResourceAddress,
  resourcePath,
  transformed,
} from './resource.ts'
export { compareVersions, isOlder } from './resource-version.ts'
export { type ReconcileResult, type RunWorkersOptions, runWorkers } from './run-workers.ts'
export { shareWatch } from './share-watch.ts'
export type {
  Cluster,
  ClusterRequest,
  ListOptions,
  ListPage,
  ResourceSource,
  Scope,
  WatchFrame,
  WatchOptions,
} from './source.ts'
export { isExpired, isTooLargeVersion, type Status, statusOf } from './status.ts'
// Stores
export { createStore, type Store, type StoreOptions, type StoreWriter } from './store.ts'
export { errorOfStatus, WatchError, type WatchErrorParts, type WatchStep } from './watch-error.ts'
// The pure machine under `watchResource`
export { watchStep } from './watch-machine.ts'
export type { WatchResourceOptions } from './watch-options.ts'
export { watchResource } from './watch-resource.ts'
export {
  initialWatchState,
  type WatchCommand,
  type WatchContext,
  type WatchSettings,
  type WatchSignal,
  type WatchState,
  type WatchTransition,
} from './watch-state.ts'
export { createWorkQueue, type WorkQueue, type WorkQueueOptions } from './work-queue.ts'
