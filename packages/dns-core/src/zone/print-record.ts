// Record → presentation text, `owner ttl class type data` separated by blanks or tabs as the caller likes.

import type { DnsRecord, RecordData } from '../record.ts'
import { className, rrType, typeName } from '../record-types.ts'
import { printBindingText } from './binding-text.ts'
import { printFieldText } from './field-text.ts'
import { printLocationText } from './location-text.ts'
import { printRareText } from './rare-text.ts'

/** `tea.shop.svc.cluster.local. 5 IN A 10.96.4.4` */
export function printRecord(record: DnsRecord, separator = ' '): string {
  const { name, ttlSeconds, type, data } = record
  return [name, String(ttlSeconds), className(record.class), typeName(type), printData(type, data)].join(separator)
}

/** The data of a record alone. */
function printData(type: number, data: RecordData): string {
  switch (data.kind) {
    case 'address':
      return data.address
    case 'name':
      return data.target
    case 'srv':
      return `${data.priority} ${data.weight} ${data.port} ${data.target}`
    case 'mx':
      return `${data.preference} ${data.target}`
    case 'text':
      return data.strings.map(printText).join(' ')
    case 'soa': {
      const { serial, refreshSeconds, retrySeconds, expireSeconds, minimumSeconds } = data
      return [data.mname, data.rname, serial, refreshSeconds, retrySeconds, expireSeconds, minimumSeconds].join(' ')
    }
    case 'naptr': {
      const texts = [data.flags, data.service, data.regexp].map(printText).join(' ')
      return `${data.order} ${data.preference} ${texts} ${data.target}`
    }
    case 'opaque': {
      const text = otherText(type, data.bytes)
      if (text !== undefined) return text
      const hex = [...data.bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      return `\\# ${data.bytes.length}${hex === '' ? '' : ` ${hex}`}`
    }
  }
}

function otherText(type: number, bytes: Uint8Array): string | undefined {
  switch (type) {
    case rrType.SVCB:
    case rrType.HTTPS:
      return printBindingText(bytes)
    case rrType.LOC:
      return printLocationText(bytes)
    default:
      return printFieldText(type, bytes) ?? printRareText(type, bytes)
  }
}

function printText(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/g, (c) => `\\${c}`)
    .replaceAll(/[^ -~]/g, (c) => `\\${String(c.charCodeAt(0)).padStart(3, '0')}`)
  return `"${escaped}"`
}
