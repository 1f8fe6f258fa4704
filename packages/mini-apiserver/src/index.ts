// A server and what it is made with
export type { Clock, ManualClock } from './clock.ts'
export { createManualClock } from './clock.ts'
// Faults
export { type FaultKind, faultKinds } from './faults/fault-kinds.ts'
export type { FaultRule } from './faults/faults.ts'
export { parseFault } from './faults/parse-fault.ts'
export type { ServerCertificate } from './http/certificate.ts'
export { makeCertificate } from './http/certificate.ts'
export type { RecordedRequest } from './http/serve-request.ts'
export type { FollowedDirectory, FollowOptions } from './manifests/follow-directory.ts'
export type { MiniApiServer, MiniApiServerOptions } from './mini-apiserver.ts'
export { createMiniApiServer } from './mini-apiserver.ts'
// Codes of the problems with manifests
export { apiProblemCodes } from './problem-codes.ts'
