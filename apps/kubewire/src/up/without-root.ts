// The demo without root: DNS and, with nginx, ingress really answer, on high ports of this machine; packets, and requests
// where there is no nginx, are simulated with the same rules and configuration. Says first what is missing.

import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import type { ExitCode } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { readFiles } from '../read-input.ts'
import { startApi } from './api-server.ts'
import { anyClusterChecks } from './checks/any-cluster.ts'
import type { Check } from './checks/check.ts'
import { dnsChecks } from './checks/dns.ts'
import { ingressChecks } from './checks/ingress.ts'
import { isShop } from './checks/registry.ts'
import { simulatedPackets, simulatedRequests } from './checks/simulated.ts'
import { waitForFirstAnswer } from './first-answer.ts'
import { findHighPorts, type HighPorts, highPortWords, highPortWorld } from './high-port.ts'
import { startHighPortDns } from './high-port-dns.ts'
import { startHighPortIngress, whyNoNginx } from './high-port-ingress.ts'
import { planDemo } from './plan.ts'
import { runChecks } from './run-checks.ts'
import { untilSignal } from './until-signal.ts'
import { demoWorld } from './world.ts'

/** Runs what can run here; with `isOnce` it ends after the checks, else it stays up until a signal. */
export async function runWithoutRoot(
  folder: string,
  reasons: readonly string[],
  output: Output,
  isOnce: boolean,
): Promise<ExitCode> {
  const nginxReason = whyNoNginx()
  for (const reason of reasons) output.note(`${reason}\n`)
  if (nginxReason !== undefined) output.note(`${nginxReason}\n`)
  const really =
    nginxReason === undefined ? 'DNS and ingress on high ports; rules are' : 'DNS on a high port; the rest is'
  output.note(`without it: ${really} simulated\n`)
  const end = untilSignal()
  const closers: (() => Promise<void>)[] = [async () => end.forget()]
  try {
    const state = await mkdtemp(join(tmpdir(), 'kubewire-'))
    closers.push(() => rm(state, { recursive: true, force: true }))
    // nginx's workers pass through it when root runs this; what is secret in it has modes of its own.
    await chmod(state, 0o711)
    const manifests = isOnce ? join(state, 'manifests') : folder
    if (isOnce) await cp(folder, manifests, { recursive: true })
    const ports = await findHighPorts()
    const api = await startApi(state, manifests, (text) => output.note(`${text}\n`))
    closers.push(() => api.close())
    await writeFile(join(state, 'demo.crt'), api.secrets.map(({ certificate }) => certificate).join(''))
    const { objects } = await readFiles({ filename: [folder], recursive: false }, { ...output, note: () => {} })
    const all: readonly KubeObject[] = [...objects, ...api.secrets.map(({ secret }) => secret)]
    const dns = await startHighPortDns(state, api, ports.dns)
    closers.push(() => dns.close())
    const plan = { ...planDemo('kubewire'), stateFolder: state }
    const world = highPortWorld(demoWorld(plan, api.cluster, manifests), ports)
    const hasShop = await isShop(world)
    const ingress = nginxReason === undefined && hasShop ? await startHighPortIngress(state, all, ports) : undefined
    if (ingress !== undefined) closers.push(() => ingress.close())
    const noDig = whyNoProgram('dig', 'bind9-dnsutils')
    const noCurl = whyNoProgram('curl', 'curl')
    if (noDig === undefined) await waitForFirstAnswer(world)
    const stopped = Promise.race([
      end.signalled,
      dns.crashed,
      ...(ingress === undefined ? [] : [ingress.daemon.crashed]),
    ])
    const names = (hasShop ? dnsChecks : await anyClusterChecks(world)).filter(isForHighPorts)
    const simulated = ingress === undefined ? [...simulatedPackets, ...simulatedRequests] : simulatedPackets
    const list: readonly Check<unknown>[] = [
      ...names.map((check) => bind(check, world, ports, noDig)),
      ...(hasShop ? simulated : []).map((check) => bind(check, snapshotOf(all), ports)),
      ...(ingress === undefined ? [] : ingressChecks)
        .filter(isForHighPorts)
        .map((check) => bind(check, world, ports, noCurl)),
    ]
    const code = await runChecks(list, undefined, output, stopped)
    if (isOnce || end.signal.aborted) return code
    output.data(`\n${closingWords(ports, ingress !== undefined)}`)
    await stopped
    return code
  } finally {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
  }
}

function isForHighPorts({ needsNode }: Check): boolean {
  return needsNode !== true
}

/** Ties a check to what it asks, so that checks of different worlds make one list. */
function bind<World>(check: Check<World>, world: World, ports: HighPorts, reason?: string): Check<unknown> {
  const { name, expected } = check
  const asked = (): string => {
    const words = check.asked(world).replace(/^\[(?:client|outside)\]/, '[here]')
    return highPortWords(words.split(' '), ports).join(' ')
  }
  return { name, expected, asked, ask: () => check.ask(world), whyNot: async () => reason }
}

function whyNoProgram(program: string, debianPackage: string): string | undefined {
  if (spawnSync(program, ['-V'], { stdio: 'ignore' }).error === undefined) return undefined
  return `${program} is missing: apt-get update && apt-get install -y --no-install-recommends ${debianPackage}`
}

function closingWords(ports: HighPorts, hasIngress: boolean): string {
  return [
    'Until Ctrl-C:',
    `  dig @127.0.0.1 -p ${ports.dns} tea.shop.svc.cluster.local`,
    ...(hasIngress ? [`  curl -k --connect-to ::127.0.0.1:${ports.https} https://shop.example.org/`] : []),
    '',
  ].join('\n')
}
