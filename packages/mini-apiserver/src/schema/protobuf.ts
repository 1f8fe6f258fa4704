// Protobuf bodies as client-go writes them: four magic bytes, an envelope (`runtime.Unknown`), then the object by the
// field numbers of the tables. Decoding only: answers are always JSON.

import protobuf from 'protobufjs/minimal.js'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { type Message, messageOf } from './message.ts'
import type { Field, FieldType } from './parse-table.ts'

type Reader = protobuf.Reader

const magic = [0x6b, 0x38, 0x73, 0x00] // "k8s\0"

/** The object in JSON form; `undefined` when the body is no protobuf or the kind has no field table. */
export function decodeProtobuf(body: Uint8Array, kind: ApiKind): JsonObject | undefined {
  return kind.typeName === undefined ? undefined : decodeProtobufType(body, kind.typeName)
}

/** The same for a type by its name in the field tables. */
export function decodeProtobufType(body: Uint8Array, typeName: string): JsonObject | undefined {
  if (magic.some((byte, i) => body[i] !== byte)) return undefined
  try {
    return decodeEnvelope(body.subarray(4), typeName)
  } catch {
    return undefined
  }
}

function decodeEnvelope(bytes: Uint8Array, typeName: string): JsonObject {
  const envelope = protobuf.Reader.create(bytes)
  let raw: Uint8Array = new Uint8Array()
  const identity: JsonObject = {}
  while (envelope.pos < envelope.len) {
    const tag = envelope.uint32()
    if (tag >>> 3 === 1) readTypeMeta(protobuf.Reader.create(envelope.bytes()), identity)
    else if (tag >>> 3 === 2) raw = envelope.bytes()
    else envelope.skipType(tag & 7)
  }
  return { ...identity, ...readMessage(protobuf.Reader.create(raw), messageOf(typeName)) }
}

function readTypeMeta(reader: Reader, identity: JsonObject): void {
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) identity['apiVersion'] = reader.string()
    else if (tag >>> 3 === 2) identity['kind'] = reader.string()
    else reader.skipType(tag & 7)
  }
}

function readMessage(reader: Reader, message: Message): JsonObject {
  const result: JsonObject = {}
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const field = message.fields.find((each) => each.inlineNumber === undefined && each.number === tag >>> 3)
    const inlined = message.fields.filter((each) => each.inlineNumber === tag >>> 3)
    if (field) readField(reader, field, result)
    else if (inlined.length > 0) Object.assign(result, readInlined(reader, inlined, message))
    else reader.skipType(tag & 7)
  }
  return result
}

function readInlined(reader: Reader, fields: readonly Field[], message: Message): JsonObject {
  const plain = fields.map(({ inlineNumber: _, ...field }) => field)
  return readMessage(protobuf.Reader.create(reader.bytes()), { ...message, fields: plain })
}

function readField(reader: Reader, { name, type }: Field, into: JsonObject): void {
  if (type.kind === 'list') {
    const list = into[name]
    const item = readValue(reader, type.of)
    into[name] = Array.isArray(list) ? [...list, item] : [item]
  } else if (type.kind === 'map') {
    const map = into[name]
    into[name] = { ...(isObject(map) ? map : {}), ...readMapEntry(reader, type.of) }
  } else {
    into[name] = readValue(reader, type)
  }
}

function readMapEntry(parent: Reader, type: FieldType): JsonObject {
  const reader = protobuf.Reader.create(parent.bytes())
  let key = ''
  let value: Json = type.kind === 'string' ? '' : {}
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) key = reader.string()
    // A map of lists (`map[string][]string`) wraps each list in a message with field 1.
    else if (tag >>> 3 === 2) value = type.kind === 'list' ? readWrappedList(reader, type.of) : readValue(reader, type)
    else reader.skipType(tag & 7)
  }
  return { [key]: value }
}

function readWrappedList(parent: Reader, type: FieldType): Json[] {
  const reader = protobuf.Reader.create(parent.bytes())
  const items: Json[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) items.push(readValue(reader, type))
    else reader.skipType(tag & 7)
  }
  return items
}

function readValue(reader: Reader, type: FieldType): Json {
  switch (type.kind) {
    case 'string':
      return reader.string()
    case 'int':
      return reader.int32()
    case 'long':
    case 'Duration':
      return Number(reader.int64())
    case 'bool':
      return reader.bool()
    case 'double':
      return reader.double()
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64')
    case 'message':
      return readMessage(protobuf.Reader.create(reader.bytes()), messageOf(type.name))
    case 'Time':
    case 'MicroTime':
      return readTime(protobuf.Reader.create(reader.bytes()), type.kind === 'MicroTime')
    case 'Quantity':
      return String(readNumbered(reader, (inner) => inner.string())[1] ?? '0')
    case 'IntOrString':
      return readIntOrString(protobuf.Reader.create(reader.bytes()))
    case 'Raw':
    case 'Fields':
      return readJson(reader)
    default:
      throw new Error(`protobuf: no reading for ${type.kind}`)
  }
}

function readNumbered(parent: Reader, read: (reader: Reader) => Json): { [number: number]: Json } {
  const reader = protobuf.Reader.create(parent.bytes())
  const found: { [number: number]: Json } = {}
  while (reader.pos < reader.len) found[reader.uint32() >>> 3] = read(reader)
  return found
}

function readTime(reader: Reader, isMicro: boolean): Json {
  let seconds = 0
  let nanos = 0
  let isSet = false
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    isSet = true
    if (tag >>> 3 === 1) seconds = Number(reader.int64())
    else if (tag >>> 3 === 2) nanos = reader.int32()
    else reader.skipType(tag & 7)
  }
  if (!isSet) return null
  const text = new Date(seconds * 1000).toISOString().slice(0, 19)
  return isMicro ? `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z` : `${text}Z`
}

function readIntOrString(reader: Reader): Json {
  let isText = false
  let number = 0
  let text = ''
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) isText = reader.int32() === 1
    else if (tag >>> 3 === 2) number = reader.int32()
    else if (tag >>> 3 === 3) text = reader.string()
    else reader.skipType(tag & 7)
  }
  return isText ? text : number
}

function readJson(parent: Reader): Json {
  const reader = protobuf.Reader.create(parent.bytes())
  let value: Json = null
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) value = JSON.parse(Buffer.from(reader.bytes()).toString('utf8')) as Json
    else reader.skipType(tag & 7)
  }
  return value
}
