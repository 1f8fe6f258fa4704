// The API server behind a case: ours in this process, or the real one over HTTPS.

import { readFileSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import type { KubeObject } from '@kubewire/kube-model'
import { createMiniApiServer } from '@kubewire/mini-apiserver'

/** Names one object. */
export interface ObjectName {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/** A cluster that cases fill and change. */
export interface CaseCluster {
  apply(objects: readonly KubeObject[]): Promise<void>
  remove(objects: readonly ObjectName[]): Promise<void>
  close(): Promise<void>
}

/** ServiceImport (KEP-1645) as a custom resource without a schema of its own. */
const importDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'serviceimports.multicluster.x-k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
  },
  spec: {
    group: 'multicluster.x-k8s.io',
    scope: 'Namespaced',
    names: {
      plural: 'serviceimports',
      singular: 'serviceimport',
      kind: 'ServiceImport',
      listKind: 'ServiceImportList',
    },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
} as KubeObject

/** A fresh small API server; objects are stored exactly as they are. */
export async function createMiniCluster(kubeconfig: string): Promise<CaseCluster> {
  const server = await createMiniApiServer({
    isPlainHttp: true,
    runsEndpointSlices: false,
    serviceCidrs: ['10.96.0.0/12', 'fd00:10:96::/112'],
  })
  // The server's own Service is not part of the cases.
  server.delete('Service', 'kubernetes', 'default')
  server.apply(importDefinition)
  writeFileSync(kubeconfig, server.kubeconfig())
  let count = 0
  return {
    async apply(objects) {
      for (const object of objects) {
        count += 1
        const { name = '', namespace } = object.metadata ?? {}
        const known = server.get(object.kind ?? '', name, namespace)
        const uid = known?.metadata?.uid ?? `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
        server.put({ ...object, metadata: { creationTimestamp: '2026-01-01T00:00:00Z', ...object.metadata, uid } })
      }
    },
    async remove(objects) {
      for (const { kind, name, namespace } of objects) server.delete(kind, name, namespace)
    },
    close: () => server.close(),
  }
}

const places: { readonly [kind: string]: { readonly prefix: string; readonly plural: string } } = {
  Namespace: { prefix: '/api/v1', plural: 'namespaces' },
  Service: { prefix: '/api/v1', plural: 'services' },
  Pod: { prefix: '/api/v1', plural: 'pods' },
  EndpointSlice: { prefix: '/apis/discovery.k8s.io/v1', plural: 'endpointslices' },
  ServiceImport: { prefix: '/apis/multicluster.x-k8s.io/v1alpha1', plural: 'serviceimports' },
}

/** The real API server; everything a case made is removed at its end. */
export async function createRealCluster(
  api: { readonly url: string; readonly kubeconfig: string },
  kubeconfig: string,
): Promise<CaseCluster> {
  writeFileSync(kubeconfig, readFileSync(api.kubeconfig))
  const made = new Map<string, ObjectName>()
  const ask = (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> =>
    askApi(api.url, method, path, body)
  await installImports(ask)
  const remove = async (objects: readonly ObjectName[]): Promise<void> => {
    for (const object of [...objects].sort((a, b) => Number(a.kind === 'Namespace') - Number(b.kind === 'Namespace'))) {
      made.delete(pathOf(object))
      await ask('DELETE', `${pathOf(object)}?gracePeriodSeconds=0`)
      if (object.kind === 'Namespace') await finalizeNamespace(ask, object.name)
    }
  }
  return {
    async apply(objects) {
      for (const object of objects) {
        const { name = '', namespace } = object.metadata ?? {}
        const id = { kind: object.kind ?? '', name, ...(namespace === undefined ? {} : { namespace }) }
        made.set(pathOf(id), id)
        await putObject(ask, id, object)
      }
    },
    remove,
    close: () => remove([...made.values()].reverse()),
  }
}

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>

async function putObject(ask: Ask, id: ObjectName, object: KubeObject): Promise<void> {
  const path = pathOf(id)
  const known = await ask('GET', path)
  const complete = id.kind === 'Pod' ? withPodSpec(object) : object
  const version = (known.body as KubeObject).metadata?.resourceVersion
  const written =
    known.status === 200
      ? await ask('PUT', path, { ...complete, metadata: { ...complete.metadata, resourceVersion: version } })
      : await ask('POST', path.slice(0, path.lastIndexOf('/')), complete)
  // A pod's spec cannot be replaced; its status and labels are what cases change.
  if (written.status >= 300 && id.kind !== 'Pod') {
    throw new Error(`${id.kind} ${id.name}: ${written.status} ${JSON.stringify(written.body).slice(0, 500)}`)
  }
  const status = (object as { readonly status?: unknown }).status
  if (status === undefined) return
  const current = (await ask('GET', path)).body as KubeObject
  await ask('PUT', `${path}/status`, { ...current, status })
}

function withPodSpec(object: KubeObject): KubeObject {
  const spec = (object as { readonly spec?: object }).spec
  return { ...object, spec: { containers: [{ name: 'main', image: 'none' }], ...spec } } as KubeObject
}

function pathOf({ kind, namespace, name }: ObjectName): string {
  const place = places[kind]
  if (place === undefined) throw new Error(`expected a kind that DNS cases use, got ${kind}`)
  const scope = kind === 'Namespace' ? '' : `/namespaces/${namespace ?? 'default'}`
  return `${place.prefix}${scope}/${place.plural}/${name}`
}

/** Without a controller manager nobody takes the finalizer of a namespace away. */
async function finalizeNamespace(ask: Ask, name: string): Promise<void> {
  const { status, body } = await ask('GET', `/api/v1/namespaces/${name}`)
  if (status === 200)
    await ask('PUT', `/api/v1/namespaces/${name}/finalize`, { ...(body as object), spec: { finalizers: [] } })
}

async function installImports(ask: Ask): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  if ((await ask('GET', `${path}/${importDefinition.metadata?.name}`)).status === 200) return
  await ask('POST', path, importDefinition)
  for (let i = 0; i < 50; i++) {
    if ((await ask('GET', '/apis/multicluster.x-k8s.io/v1alpha1/serviceimports')).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function askApi(url: string, method: string, path: string, body?: unknown): ReturnType<Ask> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' }
    const request = https.request(`${url}${path}`, { method, headers, rejectUnauthorized: false, timeout: 30_000 })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text === '' ? {} : JSON.parse(text) }))
    })
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
