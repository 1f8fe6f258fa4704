// The libraries over one input, for the page: pure but for being slow the first time something is asked of a part.
// Runs in a worker, so that a question about thousands of objects never holds up the page.

import { buildRuleset, type Ruleset, simulatePacket } from '@kubewire/iptables-gen'
import {
  type ClusterSnapshot,
  type IpFamily,
  type ObjectRef,
  type Problem,
  snapshotKinds,
  snapshotOf,
} from '@kubewire/kube-model'
import { renderConfig, type SourceNode, sourceTree, type Translation } from '@kubewire/nginx-gen'
import { askName } from '../../ask/ask-name.ts'
import { packetOf } from '../../ask/ask-packet.ts'
import { requestOf } from '../../ask/ask-request.ts'
import { simulateIngress } from '../../ask/simulate-ingress.ts'
import { type ClusterDns, corefileOf, plainListener, startClusterDns } from '../../input/cluster-dns.ts'
import { translateInput } from '../../input/ingress-input.ts'
import { manifestSnapshot } from '../../input/input-snapshot.ts'
import { localAddresses, nodeOf, proxyOptionsOf } from '../../input/proxy-input.ts'
import { lintRules } from '../../lint/registry.ts'
import type { RuleFinding } from '../../lint/rule-finding.ts'
import { runLint } from '../../lint/run-lint.ts'
import type { ClusterDocument, DocumentFlags } from '../cluster-document.ts'
import { connectionPath } from '../path/connection-path.ts'
import { namePath } from '../path/name-path.ts'
import { createObjectIndex } from '../path/object-index.ts'
import type { PathAnswer } from '../path/path.ts'
import { urlPath } from '../path/url-path.ts'
import type { ConnectionAsked, NameAsked, Question, UrlAsked } from './question.ts'
import { type ClusterSummary, summarizeCluster } from './summarize-cluster.ts'

/** What the page can ask. Answers reject with `UsageError` or `InputError` where the question means nothing here. */
export interface Engine {
  readonly summary: ClusterSummary
  ask(question: Question): Promise<PathAnswer>
  /** Problems of the generators: of reading, of the Corefile, of Services, of Ingresses. */
  problems(): readonly Problem[]
  findings(): readonly RuleFinding[]
  /** The object as the generators see it; `undefined` when there is none. */
  object(ref: ObjectRef): unknown
}

/** Prepares the libraries for an input. */
export function createEngine(document: ClusterDocument): Engine {
  const { objects, others, flags } = document
  const { snapshot, problems: assumptions } = document.isCluster
    ? { snapshot: snapshotOf(objects), problems: [] }
    : manifestSnapshot(objects)
  const read = [...document.problems, ...assumptions]
  const index = once(() => createObjectIndex(snapshot))
  const dns = once((): ClusterDns => startClusterDns(snapshot, flags.corefile ?? corefileOf(snapshot)))
  const ingress = once(() => readIngress(snapshot, flags))
  const rulesets = new Map<string, Ruleset>()

  const askConnection = (asked: ConnectionAsked): PathAnswer => {
    const values = { ...flags, node: asked.node }
    const node = nodeOf(snapshot, values)
    const packet = packetOf(asked, snapshot, node)
    const { family } = packet.destination
    const key = `${family} ${asked.node}`
    const ruleset = rulesets.get(key) ?? buildRuleset(snapshot, proxyOptionsOf(snapshot, values, family)).ruleset
    rulesets.set(key, ruleset)
    const trace = simulatePacket(ruleset, packet, { localAddresses: localAddresses(node) })
    return connectionPath(ruleset, trace, index())
  }
  const askUrl = (asked: UrlAsked): PathAnswer => {
    const request = requestOf([asked.method, asked.url], asked.headers, '192.0.2.99')
    const { translation, nodes } = ingress()
    const trace = simulateIngress(translation.value, request, nodes)
    return urlPath(nodes, translation.value, request, trace, index())
  }
  const askForName = async (asked: NameAsked): Promise<PathAnswer> => {
    const { server } = dns()
    const listener = plainListener(server)
    return namePath(listener, asked.type, await askName(listener, snapshot, asked, objects), index())
  }
  return {
    summary: summarizeCluster(document, snapshot),
    ask: async (question) => {
      switch (question.kind) {
        case 'name':
          return askForName(question)
        case 'connection':
          return askConnection(question)
        case 'url':
          return askUrl(question)
      }
    },
    problems: () => uniqueProblems([...read, ...generatorProblems(snapshot, flags, dns, ingress)]),
    findings: () => {
      const positions = new Map(document.positions)
      return runLint({ objects: [...objects, ...others], snapshot, problems: [], positions }, lintRules, document.today)
    },
    object: ({ kind, namespace, name }) => {
      const collection = snapshotKinds[kind]
      return collection === undefined ? undefined : snapshot[collection].get(name, namespace)
    },
  }
}

interface ReadIngress {
  readonly translation: Translation
  readonly nodes: readonly SourceNode[]
}

function readIngress(snapshot: ClusterSnapshot, flags: DocumentFlags): ReadIngress {
  const translation = translateInput(snapshot, flags.ingress)
  return { translation, nodes: sourceTree(renderConfig(translation.value)) }
}

function generatorProblems(
  snapshot: ClusterSnapshot,
  flags: DocumentFlags,
  dns: () => ClusterDns,
  ingress: () => ReadIngress,
): readonly Problem[] {
  const families: readonly IpFamily[] = [4, 6]
  const values = { ...flags, node: '' }
  const ofProxy = families.flatMap(
    (family) => buildRuleset(snapshot, proxyOptionsOf(snapshot, values, family)).problems,
  )
  const ofIngress = snapshot.ingresses.size === 0 ? [] : ingress().translation.problems
  return [...corefileProblems(dns), ...ofProxy, ...ofIngress]
}

// A Corefile that cannot be used is a problem of the cluster here, not the end of the page.
function corefileProblems(dns: () => ClusterDns): readonly Problem[] {
  try {
    return dns().problems
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return [
      {
        code: 'CLI_COREFILE',
        severity: 'error',
        object: { kind: 'ConfigMap', namespace: 'kube-system', name: 'coredns' },
        path: 'data.Corefile',
        message: error.message,
        fallback: 'names cannot be asked',
      },
    ]
  }
}

function uniqueProblems(problems: readonly Problem[]): readonly Problem[] {
  const byText = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  return [...byText.values()]
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
