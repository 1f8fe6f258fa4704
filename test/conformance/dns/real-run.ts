// Cases against a running server in a namespace of its own. The part inside (`inside.ts`) starts servers, asks and
// changes the cluster; this part makes the namespace and passes files in.

import { originalBinary, type RealApiServer, startRealApiServer } from '../../harness/api-server.ts'
import { bundleDaemon, startDaemon } from '../../harness/daemon.ts'
import { createNetns, whyNoNetns } from '../../harness/netns.ts'
import type { AreaRun, CaseFile, ProbeResult, RunOptions } from '../area.ts'

/** Opens the namespace; throws what is missing. */
export async function openRealRun(options: RunOptions): Promise<AreaRun> {
  const missing = whyNoNetns()
  if (missing !== undefined) throw new Error(missing)
  const program =
    options.target === 'original' ? [originalBinary('coredns')] : [process.execPath, await bundleDaemon('coredns-ts')]
  const netns = await createNetns('dns', { 'resolv.conf': 'nameserver 127.0.0.1\n' })
  let api: RealApiServer | undefined
  try {
    if (options.api === 'real') api = await startRealApiServer(netns)
    const args = [
      JSON.stringify({ program, ...(api === undefined ? {} : { api: { url: api.url, kubeconfig: api.kubeconfig } }) }),
    ]
    const inside = await startDaemon({ daemon: 'test/conformance/dns/inside.ts', netns, args })
    const answers: ((results: readonly ProbeResult[]) => void)[] = []
    inside.onLine((line) => answers.shift()?.((JSON.parse(line) as { results: readonly ProbeResult[] }).results))
    const lost = inside.ended.then((): readonly ProbeResult[] => [
      { probe: 'case', outcome: 'failed', detail: `the part inside ended: ${inside.output().slice(-2000)}` },
    ])
    return {
      runCase: (file: CaseFile) => {
        const results = new Promise<readonly ProbeResult[]>((resolve) => answers.push(resolve))
        inside.write(`${JSON.stringify({ file })}\n`)
        return Promise.race([results, lost])
      },
      async close() {
        await inside.stop()
        await api?.close()
        await netns.close()
      },
    }
  } catch (error) {
    await api?.close()
    await netns.close()
    throw error
  }
}
