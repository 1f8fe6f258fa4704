// The area `ingress`: suites ingress, field/ingress and ingress-recorded. Real runs happen inside one namespace, where
// this process keeps a child; library runs look at the rendered configuration only.

import { spawnSync } from 'node:child_process'
import { printCasePath, unknownKeys } from '@kubewire/kube-model/cases'
import {
  type IngressCase,
  ingressCaseKeys,
  isIngressCase,
  type KeyPair,
  runIngressCase,
} from '@kubewire/nginx-gen/cases'
import { bundleDaemon, startDaemon } from '../../harness/daemon.ts'
import { createNetns, whyNoNetns } from '../../harness/netns.ts'
import type { Area, AreaRun, CaseFile, ProbeResult, RunOptions } from '../area.ts'
import { makeCertificates } from './certificates.ts'
import type { OrderAnswer } from './inside.ts'

export const area: Area = {
  name: 'ingress',
  suites: ['ingress', 'field/ingress', 'ingress-recorded'],
  claims: isIngressCase,
  unknownKeys: (file) => unknownKeys(file.data, ingressCaseKeys).map(printCasePath),
  open,
}

async function open(options: RunOptions): Promise<AreaRun> {
  if (options.target === 'original') {
    throw new Error(
      'ingress-nginx cannot be built from its Go module (its nginx is its own); its recorded answers are the suite ingress-recorded',
    )
  }
  if (options.via === 'library') {
    const routes = options.settings['routes'] === 'data' ? 'data' : 'static'
    return { runCase: (file) => runInLibrary(file, routes), close: async () => {} }
  }
  const missing = whyNoNetns() ?? whyNoNginx()
  if (missing !== undefined) throw new Error(missing)
  const netns = await createNetns('ingress')
  const controllerFile = await bundleDaemon('ingress-ts')
  const child = await startDaemon({
    daemon: 'test/conformance/ingress/inside.ts',
    netns,
    args: [controllerFile, options.settings['routes'] ?? 'data'],
  })
  let waiting: ((line: string) => void) | undefined
  child.onLine((line) => waiting?.(line))
  return {
    runCase: async (file: CaseFile): Promise<readonly ProbeResult[]> => {
      const answer = new Promise<string>((resolve) => {
        waiting = resolve
      })
      child.write(`${JSON.stringify({ file })}\n`)
      const line = await Promise.race([answer, child.ended.then(() => undefined)])
      if (line === undefined) throw new Error(`the runner inside the namespace ended: ${child.output().slice(-2000)}`)
      return (JSON.parse(line) as OrderAnswer).results
    },
    close: async () => {
      await child.stop()
      await netns.close()
    },
  }
}

async function runInLibrary(file: CaseFile, routes: 'static' | 'data'): Promise<readonly ProbeResult[]> {
  const { certificates = [] } = file.data as unknown as IngressCase
  // Without openssl the Secrets hold placeholders, and hosts get the default certificate.
  const pairs = await makeCertificates(certificates).catch(() => new Map<string, KeyPair>())
  return runIngressCase(file, pairs, routes)
}

function whyNoNginx(): string | undefined {
  if (spawnSync('nginx', ['-v']).error !== undefined)
    return 'the program nginx is missing (apt-get install nginx-light libnginx-mod-http-lua libnginx-mod-http-headers-more-filter libnginx-mod-stream)'
  if (spawnSync('openssl', ['version']).error !== undefined)
    return 'the program openssl is missing (apt-get install openssl)'
  return undefined
}
