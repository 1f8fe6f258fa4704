// The world of one case, inside a namespace: addresses, backends, an API server and the controller with its nginx.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import {
  createObjectCompleter,
  type IngressCase,
  ingressCaseText,
  type KeyPair,
  type StepSpec,
} from '@kubewire/nginx-gen/cases'
import { mustRun, type RunningProgram, startProgram } from '../../harness/process.ts'
import { type Backends, startBackends } from './backends.ts'

/** A running world. */
export interface Scene {
  readonly api: MiniApiServer
  readonly backends: Backends
  readonly controller: RunningProgram
  readonly webhookPort: number
  readonly metricsUrl: string
  /** Applies a change and waits until the running nginx reflects it. */
  change(step: StepSpec): Promise<void>
  /** Text of the configuration; where hosts are data, as it would be with servers for them. */
  config(): string
  /** How often nginx was reloaded. */
  reloads(): Promise<number>
  /** Whether a step that expects a reload may do without. */
  readonly needsNoReload: boolean
  readonly runDir: string
  close(): Promise<void>
}

/** What all scenes share. */
export interface SceneTools {
  /** Bundle of the controller. */
  readonly controllerFile: string
  readonly webhookPair: KeyPair
  /** `data` or `static`, as the flag of the controller. */
  readonly routes: string
}

const mainConfigMap = { namespace: 'kubewire-test', name: 'ingress-config' }
const webhookPort = 8443
const healthPort = 10254

/** Builds the world of a case; settles when the controller is in sync. */
export async function createScene(data: IngressCase, tools: SceneTools): Promise<Scene> {
  const addresses = addressesOf(data)
  await changeAddresses('add', addresses)
  const runDir = mkdtempSync(join(tmpdir(), 'kubewire-ingress-'))
  writeFileSync(join(runDir, 'webhook.crt'), tools.webhookPair.cert)
  writeFileSync(join(runDir, 'webhook.key'), tools.webhookPair.key)
  const backends = await startBackends(data.backends ?? [])
  const api = await createMiniApiServer({ isPlainHttp: true })
  const complete = createObjectCompleter()
  const put = (...objects: readonly KubeObject[]): void => api.put(...objects.map(complete))
  put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: mainConfigMap.namespace } }, ...(data.cluster ?? []))
  if (data.configMap !== undefined) put(configMapOf(data.configMap))
  const controller = startController(data, tools, api.url, runDir)
  const scene: Scene = {
    api,
    backends,
    controller,
    webhookPort,
    runDir,
    needsNoReload: tools.routes === 'data',
    metricsUrl: `http://127.0.0.1:${healthPort}/metrics`,
    change: async (step) => {
      const deleted = new Map<string, number>()
      for (const { kind, namespace, name } of step.delete ?? []) {
        api.delete(kind, name, namespace)
        deleted.set(kind, Number(api.resourceVersion()))
      }
      // A changed object keeps what the API server gave it.
      put(...(step.apply ?? []).map((object) => keepIdentity(api, object)))
      if (step.configMap !== undefined) put(keepIdentity(api, configMapOf(step.configMap)))
      await waitForSync(scene, deleted)
    },
    config: () =>
      tools.routes === 'static'
        ? readFileSync(join(runDir, 'nginx.conf'), 'utf8')
        : ingressCaseText(
            Object.values(kindsByPlural).flatMap((kind) => api.list(kind)),
            data,
          ),
    reloads: async () => (await progressOf())?.reloads ?? 0,
    close: async () => {
      await controller.stop('SIGTERM')
      await backends.close()
      await api.close()
      await changeAddresses('del', addresses)
      rmSync(runDir, { recursive: true, force: true })
    },
  }
  try {
    await waitForSync(scene)
  } catch (error) {
    const output = controller.output()
    await scene.close()
    throw new Error(`${error instanceof Error ? error.message : error}\n${output.slice(-4000)}`)
  }
  return scene
}

/** Command line of the controller for a case, without what the scene adds. */
export function startController(data: IngressCase, tools: SceneTools, apiUrl: string, runDir: string): RunningProgram {
  const own = [
    `--apiserver-host=${apiUrl}`,
    `--run-directory=${runDir}`,
    '--sync-rate-limit=100',
    '--post-shutdown-grace-period=0',
    `--healthz-port=${healthPort}`,
    `--routes=${tools.routes}`,
    ...(data.configMap === undefined && !hasConfigMapStep(data)
      ? []
      : [`--configmap=${mainConfigMap.namespace}/${mainConfigMap.name}`]),
    ...(data.admission === undefined
      ? []
      : [
          `--validating-webhook=:${webhookPort}`,
          `--validating-webhook-certificate=${join(runDir, 'webhook.crt')}`,
          `--validating-webhook-key=${join(runDir, 'webhook.key')}`,
        ]),
  ]
  return startProgram({
    program: process.execPath,
    args: [tools.controllerFile, ...own, ...(data.flags ?? [])],
    env: { POD_NAME: 'kubewire-0', POD_NAMESPACE: 'kubewire-test', ...data.env },
  })
}

function hasConfigMapStep(data: IngressCase): boolean {
  return data.steps?.some((step) => step.configMap !== undefined) === true
}

function configMapOf(data: { readonly [key: string]: string }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...mainConfigMap }, data } as KubeObject
}

function keepIdentity(api: MiniApiServer, object: KubeObject): KubeObject {
  const { name = '', namespace } = object.metadata ?? {}
  const old = api.get(object.kind ?? '', name, namespace)?.metadata
  if (old === undefined) return object
  return {
    ...object,
    metadata: { ...object.metadata, uid: old.uid, creationTimestamp: old.creationTimestamp } as never,
  }
}

interface Progress {
  readonly syncs: number
  readonly reloads: number
  readonly versions: { readonly [plural: string]: string }
}

async function progressOf(): Promise<Progress | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${healthPort}/syncz`, { signal: AbortSignal.timeout(2000) })
    return (await response.json()) as Progress
  } catch {
    return undefined
  }
}

const syncLimitMs = 15_000

// In sync: for every kind, what nginx reflects is as new as the newest object of that kind.
async function waitForSync(scene: Scene, deleted: ReadonlyMap<string, number> = new Map()): Promise<void> {
  const wanted = newestVersions(scene.api, deleted)
  const untilMs = Date.now() + syncLimitMs
  for (;;) {
    const progress = await progressOf()
    if (progress !== undefined && progress.syncs > 0) {
      const behind = [...wanted].filter(([plural, version]) => {
        const seen = progress.versions[plural]
        return seen !== undefined && Number(seen) < version
      })
      if (behind.length === 0) break
    }
    if (!scene.controller.isRunning()) throw new Error('the controller ended')
    if (Date.now() > untilMs)
      throw new Error(`the controller is not in sync after ${syncLimitMs} ms: ${JSON.stringify(progress)}`)
    await sleep(15)
  }
  // Old workers take requests for a moment after the new ones have started.
  await sleep(150)
}

const kindsByPlural: { readonly [plural: string]: string } = {
  ingresses: 'Ingress',
  services: 'Service',
  endpointslices: 'EndpointSlice',
  secrets: 'Secret',
  configmaps: 'ConfigMap',
  ingressclasses: 'IngressClass',
}

function newestVersions(api: MiniApiServer, deleted: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(kindsByPlural).map(([plural, kind]) => {
      const versions = api.list(kind).map((object) => Number(object.metadata?.resourceVersion ?? 0))
      return [plural, Math.max(deleted.get(kind) ?? 0, ...versions)] as const
    }),
  )
}

function addressesOf(data: IngressCase): readonly string[] {
  const requests = [...(data.requests ?? []), ...(data.steps ?? []).flatMap((step) => step.requests ?? [])]
  const all = [
    ...(data.backends ?? []).map((backend) => backend.address),
    ...requests.flatMap((request) => request.client ?? []),
    ...bindAddresses(data),
  ]
  return [...new Set(all)].filter((address) => !address.startsWith('127.'))
}

// `bind-address` must exist, too.
function bindAddresses(data: IngressCase): readonly string[] {
  return (data.configMap?.['bind-address'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => /^[\d.]+$/.test(one))
}

async function changeAddresses(verb: 'add' | 'del', addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  const lines = addresses.map(
    (one) =>
      `addr ${verb} ${one}/${one.includes(':') ? 128 : 32} dev lo${verb === 'add' && one.includes(':') ? ' nodad' : ''}\n`,
  )
  await mustRun({ program: 'ip', args: ['-batch', '-'], input: lines.join('') })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
