// The three areas of scenarios: whose a file is, which keys it may have, and who runs it in this process.

import { createLibraryBench, dnsCaseKeys, isDnsCase, runDnsCase } from '@kubewire/dns-core/cases'
import {
  configureCase,
  createLibraryDriver,
  isProxyCase,
  type ProxyCase,
  proxyCaseKeys,
  runProxyCase,
} from '@kubewire/iptables-gen/cases'
import type { CaseFile, CaseKeys, ProbeResult } from '@kubewire/kube-model/cases'
import {
  type CertificateSpec,
  ingressCaseKeys,
  isIngressCase,
  type KeyPair,
  runIngressCase,
} from '@kubewire/nginx-gen/cases'

/** One area. */
export interface CaseArea {
  readonly name: 'dns' | 'proxy' | 'ingress'
  /** Whether a file's keys are of this area. */
  readonly claims: (data: CaseFile['data']) => boolean
  readonly keys: CaseKeys
  readonly run: (file: CaseFile) => Promise<readonly ProbeResult[]>
}

/** The areas, in the order in which they are asked whose a file is. */
export const caseAreas: readonly CaseArea[] = [
  { name: 'dns', claims: isDnsCase, keys: dnsCaseKeys, run: (file) => runDnsCase(createLibraryBench(), file) },
  {
    name: 'proxy',
    claims: isProxyCase,
    keys: proxyCaseKeys,
    run: (file) => runProxyCase(createLibraryDriver(configureCase), file.data as unknown as ProxyCase),
  },
  { name: 'ingress', claims: isIngressCase, keys: ingressCaseKeys, run: runIngress },
]

async function runIngress(file: CaseFile): Promise<readonly ProbeResult[]> {
  return runIngressCase(file, await makePairs((file.data['certificates'] ?? []) as readonly CertificateSpec[]))
}

// Self-signed ones do: nothing here checks who signed.
async function makePairs(specs: readonly CertificateSpec[]): Promise<ReadonlyMap<string, KeyPair>> {
  if (specs.length === 0) return new Map()
  const { makeCertificate } = await import('@kubewire/mini-apiserver')
  const pairs = new Map<string, KeyPair>()
  for (const { name, cn, dns = [] } of specs) pairs.set(name, await makeCertificate([...dns], cn ?? dns[0] ?? name))
  return pairs
}
