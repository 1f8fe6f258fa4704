// Tables of the IANA DNS parameters: record types, classes, response codes, opcodes. Numbers on the wire, names in text.

// biome-ignore format: a table reads better packed
const typeNumbers: { readonly [name: string]: number } = {
  A: 1, NS: 2, MD: 3, MF: 4, CNAME: 5, SOA: 6, MB: 7, MG: 8, MR: 9, NULL: 10, PTR: 12, HINFO: 13, MINFO: 14, MX: 15,
  TXT: 16, RP: 17, AFSDB: 18, X25: 19, ISDN: 20, RT: 21, 'NSAP-PTR': 23, SIG: 24, KEY: 25, PX: 26, GPOS: 27, AAAA: 28, LOC: 29,
  NXT: 30, EID: 31, NIMLOC: 32, SRV: 33, ATMA: 34, NAPTR: 35, KX: 36, CERT: 37, DNAME: 39, OPT: 41, APL: 42, DS: 43, SSHFP: 44,
  IPSECKEY: 45, RRSIG: 46, NSEC: 47, DNSKEY: 48, DHCID: 49, NSEC3: 50, NSEC3PARAM: 51, TLSA: 52, SMIMEA: 53, HIP: 55,
  NINFO: 56, RKEY: 57, TALINK: 58, CDS: 59, CDNSKEY: 60, OPENPGPKEY: 61, CSYNC: 62, ZONEMD: 63, SVCB: 64, HTTPS: 65,
  SPF: 99, UINFO: 100, UID: 101, GID: 102, UNSPEC: 103, NID: 104, L32: 105, L64: 106, LP: 107, EUI48: 108, EUI64: 109,
  NXNAME: 128, TKEY: 249, TSIG: 250, IXFR: 251, AXFR: 252, MAILB: 253, MAILA: 254, ANY: 255, URI: 256, CAA: 257, AVC: 258,
  AMTRELAY: 260, RESINFO: 261, TA: 32768, DLV: 32769,
}

const typeNames: ReadonlyMap<number, string> = new Map([
  ...Object.entries(typeNumbers).map(([name, n]): [number, string] => [n, name]),
  // Printed so by the original, read nowhere.
  [0, 'None'],
  [65535, 'Reserved'],
])

// biome-ignore format: a table reads better packed
/** Record type numbers that code refers to. */
export const rrType = {
  A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, HINFO: 13, MX: 15, TXT: 16, AAAA: 28, LOC: 29, SRV: 33, NAPTR: 35, DNAME: 39,
  OPT: 41, DS: 43, RRSIG: 46, NSEC: 47, NSEC3: 50, NSEC3PARAM: 51,
  SVCB: 64, HTTPS: 65, SPF: 99, IXFR: 251, AXFR: 252, ANY: 255, CAA: 257,
} as const

// biome-ignore format: a table reads better packed
/** Response codes that code refers to (RFC 1035 §4.1.1, RFC 6891 for BADVERS). */
export const rcode = {
  NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, YXDOMAIN: 6, YXRRSET: 7, NXRRSET: 8,
  NOTAUTH: 9, NOTZONE: 10, BADVERS: 16, BADKEY: 17, BADTIME: 18, BADMODE: 19, BADNAME: 20, BADALG: 21, BADTRUNC: 22,
  BADCOOKIE: 23,
} as const

/** Classes (RFC 1035 §3.2.4). */
export const rrClass = { IN: 1, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const

/** Opcodes that code refers to. */
export const opcode = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5 } as const

const rcodeNames: ReadonlyMap<number, string> = new Map(Object.entries(rcode).map(([name, n]) => [n, name]))
const classNames: ReadonlyMap<number, string> = new Map([
  ...Object.entries(rrClass).map(([name, n]): [number, string] => [n, name]),
  [2, 'CS'],
])

/** `AAAA` for 28; `TYPE65280` for a number without a name (RFC 3597 §5). */
export function typeName(type: number): string {
  return typeNames.get(type) ?? `TYPE${type}`
}

/** 28 for `AAAA` in any letter case or for `TYPE28`; `undefined` for anything else. */
export function typeNumber(name: string): number | undefined {
  const upper = name.toUpperCase()
  const generic = /^TYPE([0-9]{1,5})$/.exec(upper)
  if (generic) return Number(generic[1]) <= 65535 ? Number(generic[1]) : undefined
  return Object.hasOwn(typeNumbers, upper) ? typeNumbers[upper] : undefined
}

/** `IN` for 1; `CLASS1000` for a number without a name. */
export function className(value: number): string {
  return classNames.get(value) ?? `CLASS${value}`
}

/** 1 for `IN` in any letter case or for `CLASS1`; `undefined` for anything else. */
export function classNumber(name: string): number | undefined {
  const upper = name.toUpperCase()
  const generic = /^CLASS([0-9]{1,5})$/.exec(upper)
  if (generic) return Number(generic[1]) <= 65535 ? Number(generic[1]) : undefined
  return Object.hasOwn(rrClass, upper) ? rrClass[upper as keyof typeof rrClass] : undefined
}

/** `NXDOMAIN` for 3; `RCODE12` for a number without a name. */
export function rcodeName(value: number): string {
  return rcodeNames.get(value) ?? `RCODE${value}`
}

/** 3 for `NXDOMAIN` in any letter case; `undefined` for anything else. */
export function rcodeNumber(name: string): number | undefined {
  const upper = name.toUpperCase()
  return Object.hasOwn(rcode, upper) ? rcode[upper as keyof typeof rcode] : undefined
}
