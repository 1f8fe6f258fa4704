// A fixed sample of cases on the real parts: daemons, sockets, the kernel, nginx, in namespaces of their own.
// `pnpm conformance` runs all of them; this keeps `npm test` short and still honest about the way down.

import { describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import type { Area } from './area.ts'
import { loadArea } from './area-table.ts'
import { casesOfArea } from './find-cases.ts'
import { compareWithKnown, readKnownFailures } from './known-failures.ts'
import { runCases } from './run-cases.ts'

const sample: readonly { readonly area: Area['name']; readonly files: readonly string[] }[] = [
  { area: 'api', files: ['api/create', 'api/watch-basics', 'api/service-defaults', 'api/patch'] },
  {
    area: 'dns',
    files: [
      'dns/clusterip-dual-stack',
      'dns/headless-readiness',
      'dns/fallthrough-one-subtree',
      'dns/truncation-headless-60',
      'dns/kubeadm-corefile',
      'dns-recorded/steps-endpoints',
      'field/dns/letter-case-comes-back-as-asked',
    ],
  },
  {
    area: 'proxy',
    files: [
      'proxy/cluster-ip-basic',
      'proxy/dual-stack',
      'proxy/no-endpoints-reject',
      'proxy/node-port-default',
      'proxy/session-affinity',
      'proxy-recorded/recorded-001',
      'field/proxy/refused-or-dropped',
    ],
  },
  {
    area: 'ingress',
    files: [
      'ingress/path-exact-beside-prefix',
      'ingress/tls-certificate-selection',
      'ingress/canary-by-header',
      'ingress/rewrite-with-capture-group',
      'ingress/security-path-injection',
      'ingress-recorded/hosts-11',
      'field/ingress/rewriting-with-captures',
    ],
  },
]

const reason = whyNoNetns()
if (reason !== undefined) console.log(`sample.kernel.ts skipped: ${reason}`)

describe.skipIf(reason !== undefined)('a sample of the cases on the real parts', () => {
  it.each(sample)(
    '$area: every probe of the sample passes',
    async ({ area: name, files }) => {
      const area = await loadArea(name)
      const cases = casesOfArea(area).cases.filter((file) => files.includes(`${file.suite}/${file.name}`))
      expect(cases.map((file) => `${file.suite}/${file.name}`).sort()).toEqual([...files].sort())
      const results = await runCases(
        area,
        { cases, broken: [] },
        { target: 'ours', api: 'mini', via: 'real', settings: {}, progress: () => {}, caseLimitMs: 60_000 },
      )
      const known = readKnownFailures(name, 'real')
      const news = results.flatMap((one) => compareWithKnown(`${one.suite}/${one.name}`, one.probes, known).news)
      expect(news.join('\n')).toBe('')
    },
    240_000,
  )
})
