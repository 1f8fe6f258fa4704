#!/usr/bin/env node
// The `mini-apiserver` command: flags in, a server until a signal comes.

import { writeFileSync } from 'node:fs'
import { printProblem } from '@kubewire/kube-model'
import { type CliOptions, parseCliFlags, usage } from './cli-flags.ts'
import type { FaultRule } from './faults/faults.ts'
import { parseFault } from './faults/parse-fault.ts'
import { createMiniApiServer } from './mini-apiserver.ts'

async function main(argv: readonly string[]): Promise<number> {
  const parsed = parseCliFlags(argv)
  if ('error' in parsed) {
    process.stderr.write(`mini-apiserver: ${parsed.error}\n${usage}`)
    return 2
  }
  if (parsed.options.help) {
    process.stdout.write(usage)
    return 0
  }
  const faults = parsed.options.faults.map(parseFault)
  const wrong = faults.find((fault) => 'error' in fault)
  if (wrong && 'error' in wrong) {
    process.stderr.write(`mini-apiserver: --fault: ${wrong.error}\n`)
    return 2
  }
  await serve(
    parsed.options,
    faults.flatMap((fault) => ('rule' in fault ? [fault.rule] : [])),
  )
  return 0
}

async function serve(options: CliOptions, faults: readonly FaultRule[]): Promise<void> {
  const server = await createMiniApiServer({
    listen: options.listen,
    isPlainHttp: options.isPlainHttp,
    serviceCidrs: options.serviceCidrs,
    hosts: options.hosts,
    plainTokens: options.users,
    allowsFaults: options.allowsFaults,
    runsEndpointSlices: options.runsEndpointSlices,
    ...(options.token === undefined ? {} : { adminToken: options.token }),
  })
  for (const directory of options.manifests) {
    await server.followManifests(directory, {
      onProblem: (problem) => process.stderr.write(`${printProblem(problem)}\n`),
    })
  }
  for (const rule of faults) server.faults.inject(rule)
  if (options.writeKubeconfig !== undefined) {
    writeFileSync(options.writeKubeconfig, server.kubeconfig(), { mode: 0o600 })
  }
  process.stdout.write(`mini-apiserver: serving on ${server.url}\n`)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await server.close()
}

process.exitCode = await main(process.argv.slice(2))
