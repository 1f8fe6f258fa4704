// Entry of kube-proxy-ts: flags, configuration, and then `serve` until a signal.

import { writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { createLog, createShutdown, type Log, printFlags } from '@kubewire/daemon-kit'
import { printProblem } from '@kubewire/kube-model'
import { loadConfiguration } from './config/load.ts'
import { detectNodeIps } from './config/node-ips.ts'
import { printConfiguration } from './config/print.ts'
import { flagTable, type ProxyFlags, readFlags } from './flags.ts'
import { cleanUpIptables, cleanUpNftables } from './kernel/cleanup.ts'
import { createIptables } from './kernel/iptables.ts'
import { routeLocalnet, writeSysctls } from './kernel/platform.ts'
import { kubernetesVersion } from './kubernetes-version.ts'
import { serve } from './serve.ts'

// A proxy works hard once, at its start, and is over with it before code that was optimized for that pays: with the default of
// 66 kB a function is optimized so early that the first sync takes twice the CPU (bench/RESULTS.md).
setFlagsFromString('--interrupt-budget=1000000')

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv)
  if (flags.help) {
    process.stdout.write(`Usage:\n  kube-proxy [flags]\n\nFlags:\n${printFlags(flagTable, { dialect: 'pflag' })}`)
    return 0
  }
  if (flags.version) {
    process.stdout.write(`Kubernetes v${kubernetesVersion}\n`)
    return 0
  }
  const { configuration, problems } = await loadConfiguration(flags)
  const log = createLog({
    format: configuration?.logsJson === true ? 'json' : 'klog',
    level: (configuration?.verbosity ?? flags.verbosity ?? 0) >= 4 ? 'debug' : 'info',
  })
  for (const problem of problems) log[problem.severity === 'error' ? 'error' : 'warn'](printProblem(problem))
  if (configuration === undefined) return 1
  if (flags.writeConfigTo !== '') {
    await writeFile(flags.writeConfigTo, printConfiguration(configuration))
    log.info('Wrote configuration', { file: flags.writeConfigTo })
    return 0
  }
  if (flags.cleanup) return cleanUp(log)
  if (configuration.mode !== 'iptables' && configuration.mode !== 'nftables') {
    log.error(`mode ${configuration.mode} is not supported by this program`, { supported: ['iptables', 'nftables'] })
    return 1
  }
  if (flags.initOnly) {
    await writeSysctls(configuration, log)
    // Whether node ports answer on loopback does not depend on the node's addresses.
    if (configuration.mode === 'iptables') await routeLocalnet(configuration, detectNodeIps([], ''))
    return 0
  }
  if (configuration.isModeDefaulted)
    log.error(
      'No proxy mode is given: iptables is used; the default becomes nftables in a later release, so write the mode down',
    )
  return run(flags, configuration, log)
}

async function cleanUp(log: Log): Promise<number> {
  const problems = [
    ...(await cleanUpIptables(createIptables(4))),
    ...(await cleanUpIptables(createIptables(6))),
    ...(await cleanUpNftables()),
  ]
  for (const problem of problems) log.error('Clean-up is incomplete', { err: problem })
  return problems.length === 0 ? 0 : 1
}

async function run(
  flags: ProxyFlags,
  configuration: NonNullable<Awaited<ReturnType<typeof loadConfiguration>>['configuration']>,
  log: Log,
): Promise<number> {
  const shutdown = createShutdown({ log })
  let failure: string | undefined
  const fail = (reason: string): void => {
    failure ??= reason
    shutdown.begin('failure')
  }
  try {
    await serve({
      configuration,
      configFile: flags.config,
      master: flags.master,
      process: {
        flags: flags.texts,
        startMs: performance.timeOrigin,
        version: kubernetesVersion,
        runtime: `node ${process.version}`,
      },
      log,
      shutdown,
      fail,
    })
  } catch (error) {
    if (!shutdown.signal.aborted) fail(error instanceof Error ? error.message : String(error))
  }
  await shutdown.done
  if (failure !== undefined) log.error('kube-proxy ends', { err: failure })
  log.flush()
  // Sockets that are still closing must not keep a daemon that has ended its work.
  setTimeout(() => process.exit(), 1000).unref()
  return failure === undefined ? 0 : 1
}
