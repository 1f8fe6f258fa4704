import type { KubeObject, Problem } from '@kubewire/kube-model'
import { endpointSlice, ingress, namespace, node, pod, service } from '@kubewire/kube-model/testing'
import { describe, expect, test } from 'vitest'
import type { ClusterDocument } from '../cluster-document.ts'
import { createEngine } from './create-engine.ts'
import type { Question } from './question.ts'

const objects: readonly KubeObject[] = [
  namespace('shop'),
  { ...node('edge', ['192.0.2.11']), spec: { podCIDR: '10.244.1.0/24' } } as KubeObject,
  pod('shop/toolbox', ['10.244.1.40']),
  service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }),
  endpointSlice('shop/tea', ['10.244.1.11', '10.244.2.11']),
  service('shop/archive', { clusterIP: '10.96.4.5', clusterIPs: ['10.96.4.5'] }),
  endpointSlice('shop/archive', []),
  ingress('shop/front', {
    ingressClassName: 'nginx',
    rules: [
      {
        host: 'shop.example.org',
        http: {
          paths: [{ path: '/tea', pathType: 'Prefix', backend: { service: { name: 'tea', port: { number: 80 } } } }],
        },
      },
    ],
  }),
]

function document(extra: Partial<ClusterDocument> = {}): ClusterDocument {
  return {
    source: 'examples/shop',
    isCluster: false,
    generation: 1,
    objects,
    others: [],
    problems: [],
    positions: [],
    today: '2030-01-01',
    flags: {
      ingress: {
        configmap: '',
        'ingress-class': 'nginx',
        'controller-class': 'k8s.io/ingress-nginx',
        'watch-ingress-without-class': false,
      },
      'cluster-cidr': [],
      'masquerade-all': false,
    },
    ...extra,
  }
}

const engine = createEngine(document())
const connection = { kind: 'connection', protocol: '', node: '' } as const
const name = { kind: 'name', type: 'A', client: '' } as const
const url = { kind: 'url', method: 'GET', headers: [] } as const

describe('a question to the engine', () => {
  test.each<readonly [string, Question, string, string, readonly string[]]>([
    [
      'a name goes through the plugins to its address',
      { ...name, name: 'tea.shop.svc.cluster.local' },
      'Answers 10.96.4.4',
      'good',
      ['tea.shop.svc.cluster.local.', 'errors', 'loadbalance', 'cache', 'kubernetes', '10.96.4.4'],
    ],
    [
      'a name that is not there',
      { ...name, name: 'juice.shop.svc.cluster.local' },
      'There is no such name',
      'bad',
      ['juice.shop.svc.cluster.local.', 'errors', 'loadbalance', 'cache', 'kubernetes', 'NXDOMAIN'],
    ],
    [
      'a connection from outside is masqueraded and spread',
      { ...connection, from: '203.0.113.9', to: 'service/shop/tea' },
      'Reaches one of 2 endpoints',
      'good',
      [
        '10.96.4.4:80',
        'PREROUTING',
        'KUBE-SERVICES',
        'KUBE-SVC-',
        'KUBE-MARK-MASQ',
        'KUBE-SEP-',
        'FORWARD',
        'KUBE-FORWARD',
        'POSTROUTING',
        'KUBE-POSTROUTING',
        'KUBE-SEP-',
        '10.244.1.11:8080',
        '10.244.2.11:8080',
      ],
    ],
    [
      'a connection to a Service without endpoints',
      { ...connection, from: 'pod/shop/toolbox', to: 'service/shop/archive' },
      'Is rejected with icmp-port-unreachable',
      'bad',
      ['10.96.4.5:80', 'PREROUTING', 'FORWARD', 'KUBE-SERVICES', 'rejected'],
    ],
    [
      'a connection that is nobody’s',
      { ...connection, from: '203.0.113.9', to: '198.51.100.7:443' },
      'Goes on to 198.51.100.7:443, no rule translates it',
      'plain',
      ['198.51.100.7:443', 'PREROUTING', 'FORWARD', 'POSTROUTING', 'KUBE-POSTROUTING', '198.51.100.7:443'],
    ],
    [
      'a request finds its location',
      { ...url, url: 'http://shop.example.org/tea/green?x=1' },
      'Goes to Service shop/tea as GET /tea/green?x=1',
      'good',
      [
        'shop.example.org/tea/green?x=1',
        'shop.example.org',
        '/tea/',
        'shop-tea-80',
        '10.244.1.11:8080',
        '10.244.2.11:8080',
      ],
    ],
    [
      'a request that no Ingress takes',
      { ...url, url: 'http://nowhere.example.org/' },
      'No Ingress takes this request: the default backend answers 404',
      'bad',
      ['nowhere.example.org/', '_', '/', 'upstream-default-backend', '127.0.0.1:8181'],
    ],
  ])('%s', async (_, question, headline, tone, lit) => {
    const answer = await engine.ask(question)
    expect(answer).toMatchObject({ headline, tone })
    const titles = answer.path.cards
      .filter(({ isLit }) => isLit)
      .map(({ title }) => title.replace(/^(KUBE-S(?:VC|EP)-).*/, '$1'))
    expect(titles).toEqual(lit)
  })

  test('every wire of every answer joins two of its cards', async () => {
    for (const question of [
      { ...name, name: 'tea', client: 'pod/shop/toolbox' },
      { ...connection, from: '203.0.113.9', to: 'service/shop/tea' },
      { ...url, url: 'http://shop.example.org/tea' },
    ] as const) {
      const { cards, wires } = (await engine.ask(question)).path
      const ids = new Set(cards.map(({ id }) => id))
      expect(ids.size).toBe(cards.length)
      for (const { from, to } of wires) expect([ids.has(from), ids.has(to)]).toEqual([true, true])
    }
  })

  test('a pod’s name is looked for through its search list, one row a try', async () => {
    const { path, remarks } = await engine.ask({ ...name, name: 'tea.shop', client: 'pod/shop/toolbox' })
    const tried = path.cards.filter(({ kind }) => kind === 'question').map(({ title, row }) => [row, title])
    expect(tried).toEqual([
      [0, 'tea.shop.shop.svc.cluster.local.'],
      [1, 'tea.shop.svc.cluster.local.'],
    ])
    expect(remarks).toEqual(['2 questions of the search list'])
  })

  test('a way not taken is drawn, but dim', async () => {
    const { path } = await engine.ask({ ...connection, from: '203.0.113.9', to: 'service/shop/tea' })
    expect(path.cards.filter(({ isLit }) => !isLit).map(({ title }) => title)).toContain('KUBE-NODEPORTS')
  })

  test('the chain of a Service names it, with its rules and what they did', async () => {
    const { path } = await engine.ask({ ...connection, from: '203.0.113.9', to: 'service/shop/tea' })
    const card = path.cards.find(({ title }) => title.startsWith('KUBE-SVC-'))
    expect(card).toMatchObject({
      note: 'shop/tea:http cluster IP',
      objects: [{ kind: 'Service', namespace: 'shop', name: 'tea' }],
    })
    expect(card?.lines.map(({ note }) => note?.replace(/KUBE-SEP-.*/, 'KUBE-SEP-'))).toEqual([
      'jumps to KUBE-MARK-MASQ',
      'jumps to KUBE-SEP-',
      'jumps to KUBE-SEP-',
    ])
  })

  test.each<readonly [Question, string]>([
    [{ ...name, name: 'tea', type: 'TEA' }, 'expected a record type such as A or SRV, found "TEA"'],
    [
      { ...connection, from: 'pod/shop/nobody', to: '10.96.4.4:80' },
      'expected Pod shop/nobody among the objects, there is shop/toolbox',
    ],
    [
      { ...url, url: 'shop.example.org' },
      'expected [METHOD] URL such as GET https://shop.example.org/, found "GET shop.example.org"',
    ],
    [{ ...url, url: 'http://shop.example.org/', headers: ['nonsense'] }, `expected -H 'Name: value', found "nonsense"`],
  ])('%j is refused in words', async (question, message) => {
    await expect(engine.ask(question)).rejects.toThrow(message)
  })
})

describe('what the engine says of its input', () => {
  test('the map has each Service with the ways to it and its endpoints', () => {
    expect(engine.summary.services.find(({ ref }) => ref.name === 'tea')).toMatchObject({
      address: '10.96.4.4',
      ports: ['http 80/TCP'],
      ways: [{ url: 'http://shop.example.org/tea', isCanary: false }],
      endpoints: [
        { address: '10.244.1.11', isReady: true },
        { address: '10.244.2.11', isReady: true },
      ],
    })
  })

  test('lint rules find what they find on a terminal', () => {
    expect(engine.findings().map(({ rule, object }) => `${rule} ${object.name}`)).toContain(
      'service-without-endpoints archive',
    )
  })

  test('a Corefile that cannot be used is a problem, and only names cannot be asked', async () => {
    const corefile = { text: '.:53 {\n  nonsense\n}\n', fileName: 'Corefile' }
    const broken = createEngine(document({ flags: { ...document().flags, corefile } }))
    const codes = broken.problems().map(({ code }: Problem) => code)
    expect(codes).toContain('CLI_COREFILE')
    await expect(broken.ask({ ...name, name: 'tea' })).rejects.toThrow('Corefile: ')
    expect((await broken.ask({ ...url, url: 'http://shop.example.org/tea' })).tone).toBe('good')
  })
})
