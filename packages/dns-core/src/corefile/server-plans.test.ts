import { describe, expect, it } from 'vitest'
import { problemsOf } from '../testing/ask-corefile.ts'
import { noSurroundings } from './parse.ts'
import { serverPlans } from './server-plans.ts'

const inside = (line: string): string => `.:53 {\n    kubernetes cluster.local {\n        ${line}\n    }\n}\n`

describe('what a Corefile is refused for', () => {
  it.each([
    [
      '.:53 {\n  kuberntes\n}',
      "Corefile:2 - Error during parsing: Unknown directive 'kuberntes', did you mean 'kubernetes'?",
      'a typo, with the nearest name',
    ],
    [
      '.:53 {\n  etcd\n}',
      "Corefile:2 - Error during parsing: plugin 'etcd' is known but not supported",
      'a plugin that we do not have',
    ],
    ['.:53 {\n  errors\n', "Corefile:2 - Syntax error: Unexpected token 'errors', expecting '}'", 'a missing brace'],
    ['.:53 {\n  hosts {\n', 'Corefile:2 - Error during parsing: Unexpected EOF', 'a missing brace of a directive'],
    [
      'grpc://.:53 {\n  errors\n}',
      "Corefile:1 - Error during parsing: transport 'grpc://' is known but not supported",
      'a transport that we do not have',
    ],
    [
      '.:53 {\n  errors\n}\n.:53 {\n  errors\n}',
      'cannot serve dns://.:53 - it is already defined',
      'the same zone twice',
    ],
    [
      '.:53 {\n  errors\n  errors\n}',
      'plugin/errors: this plugin can only be used once per Server Block',
      'a plugin used twice',
    ],
    [
      '.:53 {\n  import nope\n}',
      'Corefile:2 - Error during parsing: File to import not found: nope',
      'an import of nothing',
    ],
    [
      '(a) {\n  import a\n}\n.:53 {\n  import a\n}',
      'Corefile:2 - Error during parsing: maximum snippet import depth (10000) exceeded',
      'a snippet that imports itself',
    ],
    [
      inside('ttl 3601'),
      'plugin/kubernetes: Corefile:3 - Error during parsing: ttl must be in range [0, 3600]: 3601',
      'a TTL over an hour',
    ],
    [inside('ttl x'), 'plugin/kubernetes: strconv.Atoi: parsing "x": invalid syntax', 'a TTL that is no number'],
    [
      inside('ttl'),
      "plugin/kubernetes: Corefile:3 - Error during parsing: Wrong argument count or unexpected line ending after 'ttl'",
      'a missing argument',
    ],
    [
      inside('pods x'),
      'plugin/kubernetes: wrong value for pods: x,  must be one of: disabled, verified, insecure',
      'a pod mode that does not exist',
    ],
    [
      inside('labels a!=b'),
      `plugin/kubernetes: unable to parse label selector value: 'a!=b': "!=" is not a valid label selector operator`,
      'an operator that labels do not take',
    ],
    [inside('ignore x'), "plugin/kubernetes: unable to parse ignore value: 'x'", 'a value of ignore'],
    [
      inside('upstream'),
      "plugin/kubernetes: Corefile:3 - Error during parsing: unknown property 'upstream'",
      'a property of old releases',
    ],
    [
      inside('zonal\n        noendpoints'),
      'plugin/kubernetes: Corefile:5 - Error during parsing: zonal requires the endpoint cache; remove noendpoints',
      'options that exclude each other',
    ],
    [
      inside('multicluster x.org'),
      'plugin/kubernetes: Corefile:4 - Error during parsing: is not authoritative for the multicluster zone x.org. (authoritative zones: [cluster.local.])',
      'a multi-cluster zone of nobody',
    ],
    [
      '.:53 {\n  kubernetes 10.in-addr.arpa\n}',
      'plugin/kubernetes: non-reverse zone name must be used',
      'reverse zones alone',
    ],
    ['.:53 {\n  cache 0\n}', 'plugin/cache: cache TTL can not be zero or negative: 0', 'a cache without time'],
    ['.:53 {\n  reload 1s\n}', 'plugin/reload: interval value must be greater or equal to 2s', 'a reload without rest'],
  ])('%j is refused: %s', (corefile, expected) => {
    expect(problemsOf(corefile)).toEqual([expected])
  })
})

describe('what popular Corefiles need', () => {
  it.each([
    [
      'kubeadm',
      '.:53 {\n errors\n health {\n lameduck 5s\n }\n ready\n kubernetes cluster.local in-addr.arpa ip6.arpa {\n pods insecure\n fallthrough in-addr.arpa ip6.arpa\n ttl 30\n }\n prometheus :9153\n forward . /etc/resolv.conf {\n max_concurrent 1000\n }\n cache 30 {\n disable success cluster.local\n disable denial cluster.local\n }\n loop\n reload\n loadbalance\n}',
    ],
    [
      'k3s',
      '.:53 {\n errors\n health\n ready\n kubernetes cluster.local in-addr.arpa ip6.arpa {\n pods insecure\n fallthrough in-addr.arpa ip6.arpa\n }\n hosts /etc/coredns/NodeHosts {\n ttl 60\n reload 15s\n fallthrough\n }\n prometheus :9153\n cache 30\n loop\n reload\n loadbalance\n import /etc/coredns/custom/*.override\n forward . /etc/resolv.conf\n}\nimport /etc/coredns/custom/*.server',
    ],
    [
      'node-local cache',
      'cluster.local:53 {\n errors\n cache {\n success 9984 30\n denial 9984 5\n }\n reload\n loop\n bind 169.254.20.10\n forward . 10.96.0.10 {\n force_tcp\n }\n prometheus :9253\n health 169.254.20.10:8080\n}\n.:53 {\n errors\n cache 30\n reload\n loop\n bind 169.254.20.10\n forward . /etc/resolv.conf\n prometheus :9253\n}',
    ],
    [
      'OpenShift',
      '.:5353 {\n bufsize 1232\n errors\n log . {\n class error\n }\n health {\n lameduck 20s\n }\n ready\n kubernetes cluster.local in-addr.arpa ip6.arpa {\n pods insecure\n fallthrough in-addr.arpa ip6.arpa\n }\n prometheus 127.0.0.1:9153\n forward . /etc/resolv.conf {\n policy sequential\n }\n cache 900 {\n denial 9984 30\n }\n reload\n}\nhostname.bind:5353 {\n chaos\n}',
    ],
    ['somebody who forgot the last brace', '.:53 {\n hosts {\n fallthrough\n }\n'],
  ])('the one of %s is taken unchanged', (_name, corefile) => {
    expect(problemsOf(corefile)).toEqual([])
  })
})

describe('keys of blocks', () => {
  const zonesOf = (key: string): string[] =>
    serverPlans(`${key} {\n errors\n}`, {
      fileName: 'Corefile',
      root: '/',
      defaultPort: 53,
      surroundings: noSurroundings,
    }).value.flatMap(({ facts }) => facts.keys.map(({ scheme, zone, port }) => `${scheme}://${zone}:${port}`))

  it.each([
    ['Example.ORG', ['dns://example.org.:53'], 'names fold and get the default port'],
    ['tls://example.org', ['tls://example.org.:853'], 'a scheme brings its port'],
    ['.:1053, example.org:1053', ['dns://.:1053', 'dns://example.org.:1053'], 'a comma separates keys'],
    ['10.0.0.0/8', ['dns://10.in-addr.arpa.:53'], 'a prefix stands for its reverse zone'],
    [
      '192.0.2.0/25',
      ['dns://2.0.192.in-addr.arpa.:53'].flatMap(() =>
        Array.from({ length: 128 }, (_, i) => `dns://${i}.2.0.192.in-addr.arpa.:53`),
      ),
      'a prefix between boundaries stands for all zones of the next',
    ],
    ['fd00::/8:5300', ['dns://d.f.ip6.arpa.:5300'], 'an IPv6 prefix with a port'],
  ])('%s: %s', (key, expected) => {
    expect(zonesOf(key)).toEqual(expected)
  })
})
