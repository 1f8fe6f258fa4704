// The worker: fetches the input, holds the libraries, answers one request after the other.

import { printRef } from '@kubewire/kube-model'
import type { ClusterDocument } from '../cluster-document.ts'
import { createEngine, type Engine } from '../engine/create-engine.ts'
import type { EngineReply, EngineRequest } from '../engine/engine-messages.ts'
import { printYaml } from '../view/print-yaml.ts'

let engine: Promise<Engine> | undefined

self.addEventListener('message', (event: MessageEvent<EngineRequest>) => {
  void answer(event.data)
})

async function answer(request: EngineRequest): Promise<void> {
  try {
    if (request.kind === 'load') {
      const loading = load()
      engine = loading
      reply({ kind: 'loaded', summary: (await loading).summary })
      return
    }
    if (engine === undefined) return
    const ready = await engine
    switch (request.kind) {
      case 'ask':
        reply(await ask(ready, request))
        return
      case 'check':
        reply({ kind: 'checked', problems: ready.problems(), findings: ready.findings() })
        return
      case 'read-object': {
        const object = ready.object(request.ref)
        const text = object === undefined ? `${printRef(request.ref)} is not among the objects\n` : printYaml(object)
        reply({ kind: 'object-read', ref: request.ref, text })
      }
    }
  } catch (error) {
    reply({ kind: 'failed', message: messageOf(error) })
  }
}

async function load(): Promise<Engine> {
  const response = await fetch('/cluster.json')
  if (!response.ok) throw new Error(`the server answers ${response.status}: ${(await response.text()).trim()}`)
  return createEngine((await response.json()) as ClusterDocument)
}

async function ask(ready: Engine, { turn, question }: EngineRequest & { readonly kind: 'ask' }): Promise<EngineReply> {
  try {
    return { kind: 'answered', turn, answer: await ready.ask(question) }
  } catch (error) {
    return { kind: 'refused', turn, message: messageOf(error) }
  }
}

function reply(message: EngineReply): void {
  self.postMessage(message)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
