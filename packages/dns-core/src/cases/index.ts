// The format of DNS scenarios

// Who answers
export { type CaseServer, type CaseServerBench, questionBytes } from './case-server.ts'
// The judge
export { compareReply, readReply, type SeenReply, serialOf } from './compare-reply.ts'
export {
  type DnsCase,
  type DnsCaseQuery,
  type DnsCaseStep,
  dnsCaseKeys,
  type ExpectedReply,
  fillCorefile,
  isDnsCase,
  readDnsCase,
} from './dns-case.ts'
export { createLibraryBench } from './library-bench.ts'
export { runDnsCase } from './run-dns-case.ts'
