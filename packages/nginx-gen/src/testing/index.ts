// Requests of objects

// Tables of requests (under vitest)
export { describeRequests, type TreeUnderTest } from './describe-requests.ts'
export { type IngressUnderTest, ingressOf } from './ingress-of.ts'
export { readRequest } from './read-request.ts'
export type { ExpectedAnswer, RequestRow } from './request-row.ts'
export { type RequestTable, requestTables } from './request-tables.ts'
