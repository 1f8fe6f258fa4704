// Families of random Corefiles beyond the kubernetes block: signed zones, views, expressions, EDNS options, external names.

import type { Seeded } from './seeded.ts'

/** A file directive for a signed zone, sometimes with fallthrough. */
export function signedPlugins(random: Seeded): string[] {
  return [`file {{dir}}/signed.zone signed.example${random.chance(0.3) ? ' {\n    fallthrough\n}' : ''}`]
}

/** Files that mixed plugins may name. */
export function mixedFiles(_random: Seeded): { readonly files: { readonly [name: string]: string } } {
  const extra = '$ORIGIN cluster.local.\n@ 3600 IN SOA ns admin 42 1 2 3 4\n@ 60 IN NS ns\nprinter 100 IN A 192.0.2.2\n'
  return { files: { 'signed.zone': signedZone, 'extra.zone': extra } }
}

const sig = (type: string, labels: number, name = '@'): string =>
  `${name} 60 IN RRSIG ${type} 13 ${labels} 60 20400101000000 20200101000000 12345 signed.example. c2ln\n`

/** A zone that looks signed: nobody checks the signatures here. */
export const signedZone: string = `$ORIGIN signed.example.
@ 600 IN SOA ns admin 7 1 2 3 4
${sig('SOA', 2)}@ 600 IN NS ns
${sig('NS', 2)}@ 60 IN NSEC a NS SOA RRSIG NSEC
${sig('NSEC', 2)}a 60 IN A 192.0.2.1
${sig('A', 3, 'a')}a 60 IN NSEC alias A RRSIG NSEC
${sig('NSEC', 3, 'a')}alias 60 IN CNAME a
${sig('CNAME', 3, 'alias')}alias 60 IN NSEC ns CNAME RRSIG NSEC
${sig('NSEC', 3, 'alias')}ns 60 IN A 192.0.2.2
${sig('A', 3, 'ns')}ns 60 IN NSEC sub A RRSIG NSEC
${sig('NSEC', 3, 'ns')}sub 60 IN NS ns.sub
ns.sub 60 IN A 192.0.2.3
sub 60 IN DS 1 8 2 00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF
${sig('DS', 3, 'sub')}sub 60 IN NSEC *.wild NS DS RRSIG NSEC
${sig('NSEC', 3, 'sub')}*.wild 60 IN A 192.0.2.4
${sig('A', 3, '*.wild')}*.wild 60 IN NSEC @ A RRSIG NSEC
${sig('NSEC', 3, '*.wild')}`

/** k8s_external with random options. */
export function externalBlock(random: Seeded): string {
  const lines = random.some(['headless', 'apex ns', 'ttl 33', 'fallthrough'], 0.4)
  return `k8s_external ext.example {\n${lines.map((line) => `    ${line}\n`).join('')}}`
}

/** Blocks with views, for questions that look a certain way. */
export function viewBlocks(random: Seeded): string {
  const expressions = random.some(
    [
      "type() == 'MX'",
      "name() startsWith 'www.'",
      "name() matches '^[a-m]' && proto() == 'tcp'",
      'do() == true',
      "type() in ['SRV', 'TXT'] and not (name() endsWith 'cluster.local.')",
      "bufsize() > 1000 ? type() == 'A' : false",
      "len(name()) > 40 || class() == 'CH'",
      "incidr(client_ip(), '127.0.0.0/8') && lower(type()) == 'caa'",
      'size() % 2 == 0 && opcode() == 0',
      "indexOf(name(), 'svc') > 5 and split(name(), '.')[0] in ['web', 'db', 'api']",
    ],
    0.3,
  )
  return expressions
    .map(
      (expression, i) =>
        `.:{{port}} {\n    view v${i}x {\n        expr ${expression}\n    }\n    template ANY ANY {\n        rcode ${random.pick(['YXDOMAIN', 'NXRRSET', 'NOTAUTH'])}\n    }\n}\n`,
    )
    .join('')
}

/** Templates with variables and conditions. */
export function expressionTemplates(random: Seeded): string[] {
  return random.some(
    [
      `template IN A cluster.local {\n    match "^(?P<left>[a-z0-9-]+)[.](?P<rest>.*)$"\n    var leftmost upper(group('left'))\n    var wide len(group("left")) + 1\n    expr wide > 3 && name() contains 'wild'\n    answer "{{ .Name }} 60 IN CNAME {{ .Var.leftmost }}-{{ .Var.wide }}.dead.example."\n    fallthrough\n}`,
      `template IN TXT . {\n    match "^(txt|x)[.]"\n    var parts split(name(), '.')\n    var tail parts[len(parts) - 3]\n    answer "{{ .Name }} 60 IN TXT \\"{{ .Var.tail }} {{ if eq .Type \`TXT\` }}yes{{ else }}no{{ end }} {{ range $i, $m := .Match }}{{ $i }}{{ $m }}{{ end }}\\""\n    fallthrough\n}`,
      `template IN MX . {\n    match "^(?P<host>www|api)"\n    expr group("host") in ['www'] or do()\n    answer "{{ .Name }} 60 IN MX 10 {{ .Group.host | printf "%s-%02d" | print }}.example."\n    fallthrough partner.example\n}`,
      `template IN SRV . {\n    match "^_(?P<port>[a-z]+)[.]_tcp"\n    var n int('5') * 2 ** 3\n    expr metadata('kubernetes/service') == '' ? n == 40 : n == 41\n    answer "{{ .Name }} 60 IN SRV 0 0 {{ .Var.n }} {{ .Zone }}"\n    fallthrough\n}`,
      `template IN CAA . {\n    expr any(split(name(), '.'), {# == 'web'})\n    answer "{{ .Name }} 60 IN CAA 0 issue \\"{{ with $x := .Class }}{{ $x }}{{ end }}\\""\n    fallthrough\n}`,
      `template ANY HTTPS first.example {\n    answer "{{ .Name }} 60 IN HTTPS 1 . alpn=h2,h3 port=443 ipv4hint=192.0.2.1"\n    ederror 3 stale\n}`,
    ],
    0.6,
  )
}

/** Plugins that put options into OPT records. */
export function optionPlugins(random: Seeded): string[] {
  return random.some(
    [
      `nsid ${random.pick(['one', 'server one'])}`,
      `rewrite continue edns0 local ${random.pick(['set', 'append', 'replace'])} 65001 ${random.pick(['abc', '0x0102', '{qtype}', '{qname}'])}${random.pick(['', ' revert'])}`,
      'rewrite continue edns0 nsid set',
      'rewrite continue edns0 subnet set 24 56',
      'rewrite continue edns0 local unset 65001',
      'acl partner.example {\n    block type MX\n    filter type TXT\n}',
      'template IN ANY dead.example {\n    rcode NXDOMAIN\n    ederror 22 "gone away"\n}',
      'template IN A refused.example {\n    rcode REFUSED\n    ederror 18\n}',
      'bufsize 700',
      'header {\n    response set ra\n    query clear rd\n}',
      'minimal',
    ],
    0.5,
  )
}
