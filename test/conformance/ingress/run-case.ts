// All probes of one case against the running controller; runs inside the namespace.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import {
  type AdmissionSpec,
  checkConfigFacts,
  fillPlaceholders,
  fits,
  holds,
  type IngressCase,
  type RequestSpec,
} from '@kubewire/nginx-gen/cases'
import { runProgram } from '../../harness/process.ts'
import type { CaseFile, ProbeResult } from '../area.ts'
import { admissionComplaint } from './admission.ts'
import { makeCertificates } from './certificates.ts'
import { type Answer, type ClientContext, sendPlain, sendRequest } from './client.ts'
import { complaintsOf } from './expect.ts'
import { metricComplaint } from './metric-facts.ts'
import { createScene, type Scene, type SceneTools, startController } from './scene.ts'

/** Runs a case. Never throws for what the controller does wrong. */
export async function runIngressCase(file: CaseFile, tools: SceneTools): Promise<readonly ProbeResult[]> {
  const given = file.data as unknown as IngressCase
  const certificates = await makeCertificates(given.certificates ?? [])
  const data = fillPlaceholders(given, { certificates })
  if (data.flagErrors !== undefined) return runFlagErrors(data, tools)
  let scene: Scene
  try {
    scene = await createScene(data, tools)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return probeNames(data).map((probe) => ({ probe, outcome: 'failed', detail: `no start: ${detail}` }))
  }
  try {
    return await runProbes(file, data, scene, { certificates, httpPort: 80, httpsPort: 443, jars: new Map() })
  } finally {
    await scene.close()
  }
}

async function runProbes(
  file: CaseFile,
  data: IngressCase,
  scene: Scene,
  client: ClientContext,
): Promise<ProbeResult[]> {
  const results: ProbeResult[] = []
  for (const [at, request] of (data.requests ?? []).entries()) {
    results.push(await runRequest(`requests[${at}]`, request, scene, client))
  }
  for (const [at, step] of (data.steps ?? []).entries()) {
    const before = await scene.reloads()
    const problem = await scene.change(step).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (step.reload !== undefined || problem !== undefined) {
      const isReloaded = (await scene.reloads()) > before
      const isRight = step.reload === undefined || isReloaded === step.reload || (step.reload && scene.needsNoReload)
      const detail = problem ?? `expected ${step.reload ? 'a reload' : 'no reload'}, found the contrary`
      results.push(result(`steps[${at}] reload`, isRight && problem === undefined ? undefined : detail))
    }
    for (const [n, request] of (step.requests ?? []).entries()) {
      results.push(await runRequest(`steps[${at}].requests[${n}]`, request, scene, client))
    }
  }
  results.push(...(await runConfig(file, data, scene)))
  for (const [at, spec] of admissionsOf(data).entries()) {
    results.push(result(`admission[${at}]`, await admissionComplaint(scene.webhookPort, spec)))
  }
  results.push(...(await runMetrics(data, scene)), ...(await runStatus(data, scene)))
  return results
}

async function runRequest(where: string, spec: RequestSpec, scene: Scene, client: ClientContext): Promise<ProbeResult> {
  const { expect = {}, repeat = 1 } = spec
  if (spec.tcp !== undefined || spec.udp !== undefined) {
    const reply = await sendPlain(spec, expect.reply?.length ?? 1)
    const probe = `${where} ${spec.tcp === undefined ? `udp ${spec.udp}` : `tcp ${spec.tcp}`}`
    if (expect.refused === true)
      return result(probe, reply === undefined ? undefined : `expected a refusal, found ${JSON.stringify(reply)}`)
    if (expect.reply === undefined || fits(expect.reply, reply)) return result(probe, undefined)
    return result(probe, `expected ${JSON.stringify(expect.reply)}, found ${JSON.stringify(reply)}`)
  }
  scene.backends.forget()
  const answers: Answer[] = []
  for (let n = 0; n < repeat; n++) {
    answers.push(await sendRequest(fillPlaceholders(spec, { certificates: client.certificates, n }), client))
  }
  // A mirror or a log line may come a moment after the answer.
  if (expect.seen !== undefined)
    await waitUntil(() => expect.seen?.every((one) => scene.backends.seen.has(one.backend)) === true)
  const complaints = complaintsOf(expect, { answers, seen: scene.backends.seen, certificates: client.certificates })
  return result(`${where} ${nameOf(spec)}`, complaints.length === 0 ? undefined : complaints.join('\n'))
}

function nameOf(spec: RequestSpec): string {
  return `${spec.method ?? 'GET'} ${spec.scheme ?? 'http'}://${spec.host ?? ''}${(spec.path ?? '/').slice(0, 80)}`
}

async function runConfig(file: CaseFile, data: IngressCase, scene: Scene): Promise<ProbeResult[]> {
  const { config } = data
  if (config === undefined) return []
  const text = scene.config()
  const results = checkConfigFacts(text, config, file.suite.startsWith('field')).map(({ fact, complaint }) =>
    result(`config ${fact}`, complaint),
  )
  if (config.valid === true) {
    const test = await runProgram({
      program: 'nginx',
      args: ['-t', '-q', '-p', scene.runDir, '-c', join(scene.runDir, 'nginx.conf'), '-e', 'stderr'],
    })
    results.push(result('config valid', test.exitCode === 0 ? undefined : test.stderr))
  }
  return results
}

async function runMetrics(data: IngressCase, scene: Scene): Promise<ProbeResult[]> {
  if (data.metrics === undefined) return []
  const read = async (): Promise<string> => (await fetch(scene.metricsUrl)).text()
  // Request metrics are sent once a second.
  let text = await read()
  await waitUntil(async () => {
    text = await read()
    return data.metrics?.every((spec) => metricComplaint(text, spec) === undefined) === true
  }, 3000)
  return data.metrics.map((spec) => result(`metrics ${JSON.stringify(spec)}`, metricComplaint(text, spec)))
}

async function runStatus(data: IngressCase, scene: Scene): Promise<ProbeResult[]> {
  const results: ProbeResult[] = []
  for (const { kind, namespace, name, loadBalancer } of data.status ?? []) {
    const sorted = (list: readonly unknown[]): string => JSON.stringify(list.map((one) => JSON.stringify(one)).sort())
    const found = (): readonly unknown[] => {
      const object = scene.api.get<
        KubeObject & { readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly unknown[] } } }
      >(kind, name, namespace)
      return object?.status?.loadBalancer?.ingress ?? []
    }
    await waitUntil(() => sorted(found()) === sorted(loadBalancer), 8000)
    const isRight = sorted(found()) === sorted(loadBalancer)
    results.push(
      result(
        `status ${kind} ${namespace}/${name}`,
        isRight ? undefined : `expected ${JSON.stringify(loadBalancer)}, found ${JSON.stringify(found())}`,
      ),
    )
  }
  return results
}

async function runFlagErrors(data: IngressCase, tools: SceneTools): Promise<ProbeResult[]> {
  const api = await createMiniApiServer({ isPlainHttp: true })
  api.put(
    ...(data.cluster ?? []).map((object) => ({
      ...object,
      metadata: { ...object.metadata, uid: 'x', creationTimestamp: '2026-01-01T00:00:00Z' },
    })),
  )
  const runDir = mkdtempSync(join(tmpdir(), 'kubewire-ingress-'))
  const results: ProbeResult[] = []
  for (const [at, { flags, message }] of (data.flagErrors ?? []).entries()) {
    const controller = startController({ ...data, flags }, tools, api.url, runDir)
    const ended = await Promise.race([
      controller.ended,
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 8000)),
    ])
    await controller.stop()
    const output = controller.output()
    const isRight = ended !== undefined && ended.exitCode !== 0 && holds(message, output)
    results.push(
      result(
        `flagErrors[${at}]`,
        isRight ? undefined : `expected ${message} and a bad status, found ${ended?.exitCode} ${output.slice(-500)}`,
      ),
    )
  }
  await api.close()
  rmSync(runDir, { recursive: true, force: true })
  return results
}

// The field format names an object of the cluster instead of holding it.
function admissionsOf(data: IngressCase): readonly AdmissionSpec[] {
  const { admission } = data
  if (admission === undefined) return []
  if (!('object' in admission) || Array.isArray(admission)) return admission as readonly AdmissionSpec[]
  const [kind, path = ''] = admission.object.split(' ')
  const [namespace, name] = path.split('/')
  const object = data.cluster?.find(
    (one) => one.kind === kind && one.metadata?.namespace === namespace && one.metadata?.name === name,
  )
  return [{ ...admission, object: object ?? {} }]
}

function probeNames(data: IngressCase): readonly string[] {
  const requests = (data.requests ?? []).map((spec, at) => `requests[${at}] ${nameOf(spec)}`)
  const steps = (data.steps ?? []).flatMap((step, at) =>
    (step.requests ?? []).map((spec, n) => `steps[${at}].requests[${n}] ${nameOf(spec)}`),
  )
  const more = [data.config, data.admission, data.metrics, data.status].some((part) => part !== undefined)
    ? ['other facts']
    : []
  return [...requests, ...steps, ...more]
}

function result(probe: string, complaint: string | undefined): ProbeResult {
  return complaint === undefined ? { probe, outcome: 'passed' } : { probe, outcome: 'failed', detail: complaint }
}

async function waitUntil(holds: () => boolean | Promise<boolean>, limitMs = 1000): Promise<void> {
  const untilMs = Date.now() + limitMs
  while (!(await holds()) && Date.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 20))
}
