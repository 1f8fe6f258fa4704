// One record → bytes. Which names may be compressed follows RFC 3597 §4 and miekg/dns: those of the types of RFC 1035.

import type { DnsRecord, RecordData, SoaData } from '../record.ts'
import { rrType } from '../record-types.ts'
import { writeIpv4, writeIpv6 } from './address-bytes.ts'
import { type NameOffsets, writeName } from './compress.ts'

/** Where a record is written: at most up to `limit`; -1 as an offset means it did not fit. */
export interface WriteTarget {
  readonly bytes: Uint8Array
  readonly limit: number
  readonly offsets: NameOffsets | undefined
}

/** Writes a record at `start` and returns the offset behind it, or -1 when it does not fit. */
export function writeRecord(target: WriteTarget, start: number, record: DnsRecord): number {
  const { bytes, limit, offsets } = target
  const at = writeName(bytes, start, limit, record.name, offsets, true)
  if (at < 0 || at + 10 > limit) return -1
  writeUint16(bytes, at, record.type)
  writeUint16(bytes, at + 2, record.class)
  writeUint32(bytes, at + 4, record.ttlSeconds)
  const end = writeData(target, at + 10, record.type, record.data)
  if (end < 0) return -1
  writeUint16(bytes, at + 8, end - at - 10)
  return end
}

/** Big-endian 16 bits. */
export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = (value >> 8) & 0xff
  bytes[at + 1] = value & 0xff
}

/** Big-endian 32 bits. */
export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = (value >>> 24) & 0xff
  bytes[at + 1] = (value >>> 16) & 0xff
  bytes[at + 2] = (value >>> 8) & 0xff
  bytes[at + 3] = value & 0xff
}

function writeData(target: WriteTarget, at: number, type: number, data: RecordData): number {
  const { bytes, limit, offsets } = target
  switch (data.kind) {
    case 'address':
      return writeAddress(target, at, type, data.address)
    case 'name':
      return writeName(bytes, at, limit, data.target, offsets, type !== rrType.DNAME)
    case 'srv':
      if (at + 6 > limit) return -1
      writeUint16(bytes, at, data.priority)
      writeUint16(bytes, at + 2, data.weight)
      writeUint16(bytes, at + 4, data.port)
      return writeName(bytes, at + 6, limit, data.target, offsets, false)
    case 'mx':
      if (at + 2 > limit) return -1
      writeUint16(bytes, at, data.preference)
      return writeName(bytes, at + 2, limit, data.target, offsets, true)
    case 'text':
      return data.strings.reduce((end, text) => writeString(target, end, text), at)
    case 'soa':
      return writeSoa(target, at, data)
    case 'naptr': {
      if (at + 4 > limit) return -1
      writeUint16(bytes, at, data.order)
      writeUint16(bytes, at + 2, data.preference)
      const end = [data.flags, data.service, data.regexp].reduce((to, text) => writeString(target, to, text), at + 4)
      return end < 0 ? -1 : writeName(bytes, end, limit, data.target, offsets, false)
    }
    case 'opaque':
      return writeBytes(target, at, data.bytes)
  }
}

function writeAddress({ bytes, limit }: WriteTarget, at: number, type: number, address: string): number {
  const end = at + (type === rrType.A ? 4 : 16)
  if (end > limit) return -1
  if (type === rrType.A) writeIpv4(bytes, at, address)
  else writeIpv6(bytes, at, address)
  return end
}

function writeSoa({ bytes, limit, offsets }: WriteTarget, start: number, soa: SoaData): number {
  let at = writeName(bytes, start, limit, soa.mname, offsets, true)
  if (at < 0) return -1
  at = writeName(bytes, at, limit, soa.rname, offsets, true)
  if (at < 0 || at + 20 > limit) return -1
  const { serial, refreshSeconds, retrySeconds, expireSeconds, minimumSeconds } = soa
  for (const value of [serial, refreshSeconds, retrySeconds, expireSeconds, minimumSeconds]) {
    writeUint32(bytes, at, value)
    at += 4
  }
  return at
}

function writeString(target: WriteTarget, at: number, text: string): number {
  if (at < 0 || at + 1 > target.limit) return -1
  target.bytes[at] = text.length
  return writeBytes(target, at + 1, latin1Bytes(text))
}

function writeBytes({ bytes, limit }: WriteTarget, at: number, data: Uint8Array): number {
  if (at < 0 || at + data.length > limit) return -1
  bytes.set(data, at)
  return at + data.length
}

function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
