// One Ingress → the values of every annotation family, or its refusal. What is wrong with one Ingress stays with it.

import { type Ingress, type Problem, quoteFound, refOf } from '@kubewire/kube-model'
import { affinity } from '../annotations/affinity.ts'
import { canary } from '../annotations/canary.ts'
import { errorHandling } from '../annotations/default-backend.ts'
import {
  type Annotation,
  type AnnotationReader,
  type Family,
  featureOf,
  type ResolveContext,
} from '../annotations/define.ts'
import { families } from '../annotations/registry.ts'
import { retiredAnnotations } from '../annotations/retired.ts'
import { serverWishes } from '../annotations/server.ts'
import { controlCharacters } from '../annotations/values.ts'
import type { FeatureValues } from '../model/location.ts'
import type { ConfigFile } from '../model/tls.ts'
import type { NginxProblemCode } from '../problem-codes.ts'
import type { RiskLevel } from '../settings/security.ts'
import type { ReadContext, ReadIngress } from './drafts.ts'
import { hashText } from './hash.ts'
import { oncePerObject } from './once-per-object.ts'
import { type Lookup, lookupsHold, recordLookups } from './recorded-lookups.ts'
import { ruleParts } from './rule-parts.ts'
import { emptyMemory, type TranslationMemory } from './translation-memory.ts'

/** Reads Ingresses of one translation. */
export type IngressReader = (ingress: Ingress | undefined) => ReadIngress

/** More texts of feature values than this are forgotten: an Ingress that keeps changing leaves one each time. */
const mostFeatures = 20_000

/**
 * Makes a reader. Families without an annotation in the Ingress are resolved once for all, and equal values become one
 * object, so that what has equal settings is rendered once. `undefined` reads the built-in catch-all location.
 * An Ingress that was read before with the same objects around it is what it was.
 */
export function createIngressReader(context: ReadContext, memory: TranslationMemory = emptyMemory()): IngressReader {
  const recorder = recordLookups(context.snapshot)
  const heard = { ...context, snapshot: recorder.snapshot }
  const { defaults, builtIn } = readCommon(heard, recorder.take, memory)
  for (const texts of [memory.features, memory.byText]) if (texts.size > mostFeatures) texts.clear()
  return (ingress) => {
    if (ingress === undefined) return builtIn
    const known = memory.readings.get(ingress)
    if (known !== undefined && lookupsHold(known.lookups, context.snapshot)) return known.value
    const annotations = textOf(ingress.metadata?.annotations, context.options.annotationsPrefix)
    const alike = memory.byText.get(annotations)
    if (alike !== undefined) {
      const value = resultOf(ingress, alike, cleanReading)
      memory.readings.set(ingress, { value, lookups: [] })
      return value
    }
    recorder.take()
    const reading = new Reading(ingress, heard)
    reading.checkRisks()
    reading.checkBlockedWords()
    const changed = reading.families().map((family) => [family.name, reading.resolve(family)] as const)
    const text = JSON.stringify(changed, (_, value: unknown) => (value === undefined ? '\0' : value))
    const features =
      memory.features.get(text) ?? (changed.length === 0 ? defaults : { ...defaults, ...Object.fromEntries(changed) })
    memory.features.set(text, features)
    const value = resultOf(ingress, features, reading)
    const lookups = recorder.take()
    memory.readings.set(ingress, { value, lookups })
    if (lookups.length === 0 && reading.isTextAlone()) memory.byText.set(annotations, features)
    return value
  }
}

/** Our annotations as one text; lengths keep two of them apart. */
function textOf(annotations: { readonly [name: string]: string } | undefined, prefix: string): string {
  let text = ''
  for (const [name, value] of Object.entries(annotations ?? {})) {
    if (name.startsWith(prefix)) text += `${name.length} ${value.length} ${name}${value}`
  }
  return text
}

/** What a reading found besides values. */
type Findings = Pick<ReadIngress, 'denied' | 'problems' | 'isRefused' | 'files'>

const cleanReading: Findings = { denied: undefined, problems: [], isRefused: false, files: [] }

function readCommon(
  context: ReadContext,
  take: () => readonly Lookup[],
  memory: TranslationMemory,
): { readonly defaults: FeatureValues; readonly builtIn: ReadIngress } {
  if (memory.common !== undefined) return memory.common.value
  const reading = new Reading(undefined, context)
  const value = {
    defaults: resolveAll(new Reading({}, context)),
    builtIn: resultOf(undefined, resolveAll(reading), reading),
  }
  memory.common = { value, lookups: take() }
  return value
}

/** Reads one Ingress by itself. */
export function readIngress(ingress: Ingress | undefined, context: ReadContext): ReadIngress {
  return createIngressReader(context)(ingress)
}

function resolveAll(reading: Reading): FeatureValues {
  return Object.fromEntries(reading.allFamilies.map((family) => [family.name, reading.resolve(family)]))
}

function resultOf(
  ingress: Ingress | undefined,
  features: FeatureValues,
  { denied, problems, isRefused, files }: Findings,
): ReadIngress {
  const object = ingress ?? {}
  const namespace = namespaceOf(ingress)
  const ref = refOf(object, 'Ingress')
  const { hosts, mentions, paths } = ruleParts(object, { ref, namespace, denied, features })
  const wish = featureOf(features, affinity)
  return {
    ingress: object,
    ref,
    namespace,
    name: ingress?.metadata?.name ?? '',
    features,
    denied,
    problems,
    isRefused,
    files,
    isCanary: featureOf(features, canary) !== undefined,
    looksAround:
      wish.isOn ||
      wish.mode !== undefined ||
      featureOf(features, errorHandling).service !== undefined ||
      featureOf(features, serverWishes).passthrough ||
      featureOf(features, serverWishes).aliases.length > 0,
    hosts,
    mentions,
    paths,
  }
}

/** Families and annotations by annotation name, aliases included. */
interface Known {
  readonly all: readonly Family<unknown>[]
  readonly families: ReadonlyMap<string, Family<unknown>>
  readonly annotations: ReadonlyMap<string, Annotation<unknown>>
}

const knownWith = oncePerObject((extra: readonly Family<unknown>[]): Known => {
  const all = [...families, ...extra]
  const named = all.flatMap((family) =>
    family.annotations.flatMap((annotation) => annotation.names.map((name) => ({ name, family, annotation }))),
  )
  return {
    all,
    families: new Map(named.map(({ name, family }) => [name, family])),
    annotations: new Map(named.map(({ name, annotation }) => [name, annotation])),
  }
})

/** Collects what is found while one Ingress is read. */
class Reading {
  readonly problems: Problem[] = []
  readonly files: ConfigFile[] = []
  denied: string | undefined
  isRefused = false
  readonly context: ResolveContext
  readonly #ingress: Ingress | undefined
  readonly #values: { readonly [name: string]: string }
  readonly #prefix: string
  readonly #known: Known
  /** Names of our annotations in the Ingress, without prefix, sorted. */
  readonly #names: readonly string[]
  readonly #seen = new Set<Annotation<unknown>>()
  #looksAtIngress = false

  constructor(ingress: Ingress | undefined, { snapshot, settings, options }: ReadContext) {
    this.#ingress = ingress
    this.#values = ingress?.metadata?.annotations ?? {}
    this.#prefix = `${options.annotationsPrefix}/`
    this.#known = knownWith(options.extraFamilies)
    this.#names = Object.keys(this.#values)
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => name.slice(this.#prefix.length))
      .sort()
    const namespace = namespaceOf(ingress)
    const key = ingress === undefined ? '' : `${namespace}/${ingress.metadata?.name ?? ''}`
    const asked = (): void => {
      this.#looksAtIngress = true
    }
    this.context = {
      get ingress() {
        asked()
        return ingress
      },
      get namespace() {
        asked()
        return namespace
      },
      get key() {
        asked()
        return key
      },
      isBuiltIn: ingress === undefined,
      snapshot,
      settings,
      options,
      isBlank: (annotation) =>
        this.#find(annotation) === undefined && this.#values[this.#prefix + annotation.names[0]] !== undefined,
      has: (annotation) => this.#find(annotation) !== undefined,
      warn: (annotation, message, fallback) =>
        this.#report('NGX_ANNOTATION_VALUE', 'warning', annotation, message, fallback),
      unavailable: (annotation, fallback) => {
        const missing = 'the nginx module this needs is not available'
        this.#report('NGX_ANNOTATION_UNAVAILABLE', 'warning', annotation, missing, fallback)
      },
      deny: (annotation, reason, effect) => this.#deny('NGX_ANNOTATION_REFERENCE', annotation, reason, effect),
      refuse: (annotation, reason) => this.#refuse('NGX_ANNOTATION_VALUE', annotation, reason),
      addFile: (kind, content) => this.#addFile(kind, content),
    }
  }

  readonly reader: AnnotationReader = (annotation) => {
    const found = this.#find(annotation)
    if (found === undefined) return undefined
    const text = annotation.value.multiline ? found.text : found.text.trim()
    const isClean = annotation.value.multiline || !controlCharacters.test(text)
    const value = isClean ? annotation.value.parse(text) : undefined
    if (value === undefined) this.#invalid(annotation, text)
    return value
  }

  /** Whether the same annotations would say the same in every other Ingress. */
  isTextAlone(): boolean {
    const isClean = this.problems.length === 0 && this.files.length === 0 && !this.isRefused
    return isClean && this.denied === undefined && !this.#looksAtIngress
  }

  get allFamilies(): readonly Family<unknown>[] {
    return this.#known.all
  }

  /** Families with an annotation in the Ingress, in registry order. */
  families(): readonly Family<unknown>[] {
    const present = new Set(this.#names.map((name) => this.#known.families.get(name)))
    return present.size === 0 ? [] : this.#known.all.filter((family) => present.has(family))
  }

  resolve<V>(family: Family<V>): V {
    return family.resolve(this.reader, this.context)
  }

  checkRisks(): void {
    const { settings } = this.context
    for (const name of this.#names) {
      const annotation = this.#known.annotations.get(name)
      if (annotation !== undefined && rank(annotation.risk) > rank(settings['annotations-risk-level'])) {
        const level = `the risk ${annotation.risk} is above the accepted ${settings['annotations-risk-level']}`
        this.#refuse('NGX_ANNOTATION_RISK', annotation, level)
      }
      if (!retiredAnnotations.includes(name)) continue
      this.#report(
        'NGX_ANNOTATION_UNAVAILABLE',
        'warning',
        { names: [name] },
        'nothing reads this any more',
        'it is ignored',
      )
    }
  }

  checkBlockedWords(): void {
    const words = this.context.settings['annotation-value-word-blocklist']
    for (const [name, value] of Object.entries(this.#values)) {
      if (!name.startsWith(this.#prefix)) continue
      const word = words.find((text) => value.includes(text))
      if (word === undefined) continue
      const names = [name.slice(this.#prefix.length)] as const
      this.#refuse('NGX_ANNOTATION_BLOCKED', { names }, `the value contains the forbidden word ${quoteFound(word)}`)
    }
  }

  #find(annotation: Pick<Annotation<unknown>, 'names'>): { readonly name: string; readonly text: string } | undefined {
    for (const name of annotation.names) {
      const text = this.#values[this.#prefix + name]
      if (text !== undefined && text.trim() !== '') return { name, text }
    }
    return undefined
  }

  #invalid(annotation: Annotation<unknown>, text: string): void {
    if (this.#seen.has(annotation)) return
    this.#seen.add(annotation)
    const message = `expected ${annotation.value.expected}, got ${quoteFound(text)}`
    if (annotation.invalid === 'refuse') this.#refuse('NGX_ANNOTATION_VALUE', annotation, message)
    else if (annotation.invalid === 'deny') this.#deny('NGX_ANNOTATION_VALUE', annotation, message)
    else this.#report('NGX_ANNOTATION_VALUE', 'warning', annotation, message, annotation.fallback)
  }

  #deny(
    code: NginxProblemCode,
    annotation: Pick<Annotation<unknown>, 'names'>,
    reason: string,
    effect = 'the locations of the Ingress answer 503',
  ): void {
    this.denied ??= reason
    this.#report(code, 'error', annotation, reason, effect)
  }

  #refuse(code: NginxProblemCode, annotation: Pick<Annotation<unknown>, 'names'>, reason: string): void {
    this.isRefused = true
    this.#report(code, 'error', annotation, reason, 'the Ingress is set aside, all others go on')
  }

  #report(
    code: NginxProblemCode,
    severity: Problem['severity'],
    annotation: Pick<Annotation<unknown>, 'names'>,
    message: string,
    fallback: string,
  ): void {
    const name = this.#find(annotation)?.name ?? annotation.names[0]
    const path = `metadata.annotations["${this.#prefix}${name}"]`
    this.problems.push({ code, severity, object: refOf(this.#ingress ?? {}, 'Ingress'), path, message, fallback })
  }

  #addFile(kind: string, content: string): string {
    const ending = kind === 'passwd' ? '' : '.pem'
    const name = `${kind}-${hashText(`${this.context.key}\0${kind}\0${content}`)}${ending}`
    this.files.push({ name, content, isSecret: kind === 'passwd' || kind === 'pair' })
    return name
  }
}

function namespaceOf(ingress: Ingress | undefined): string {
  return ingress?.metadata?.namespace ?? 'default'
}

function rank(level: RiskLevel): number {
  return ['Low', 'Medium', 'High', 'Critical'].indexOf(level)
}
