// One run of all three daemons, looked at from three sides: they ask the API server for nothing that `deploy/*/rbac.yaml`
// does not allow, and it allows nothing that no feature uses; alerts and dashboards name what they expose; and no secret is
// in anything they say.

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { bundleDaemon } from '../harness/daemon.ts'
import { whyNoNetns } from '../harness/netns.ts'
import { canaries, forbiddenTexts, leaksIn, makePair } from './canaries.ts'
import { queryFaults, readExposed } from './query-names.ts'
import { grantOf, isAllowed, listGrants, printRight, type RbacRule, type RbacScope } from './rbac-rules.ts'
import { daemonNames, type RunningDaemons, type RunningName, startRunningDaemons } from './running-daemons.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`running.kernel.ts is skipped: ${missing}`)
const deploy = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'deploy')

/** What every cluster gives to everybody (system:public-info-viewer, system:discovery). */
const forEverybody: RbacScope = {
  rules: [{ nonResourceURLs: ['/version', '/healthz', '/livez', '/readyz', '/api', '/apis/*'], verbs: ['get'] }],
}

/** Grants that this run does not need, with the feature that does. */
const usedElsewhere: Readonly<Record<RunningName, Readonly<Record<string, string>>>> = {
  'coredns-ts': {
    'list multicluster.x-k8s.io/serviceimports': 'the option multicluster',
    'watch multicluster.x-k8s.io/serviceimports': 'the option multicluster',
  },
  'kube-proxy-ts': {
    'list networking.k8s.io/servicecidrs': 'mode nftables',
    'watch networking.k8s.io/servicecidrs': 'mode nftables',
  },
  'ingress-ts': {
    'get /namespaces': '--watch-namespace must exist',
  },
}

interface Role {
  readonly kind: string
  readonly rules?: readonly RbacRule[]
}

/** The rights of a daemon; a Role is for the namespace that the controller of this run is in. */
function scopesOf(name: RunningName): readonly RbacScope[] {
  const roles = parseAllDocuments(readFileSync(join(deploy, name, 'rbac.yaml'), 'utf8')).map(
    (one) => one.toJS() as Role,
  )
  return roles.flatMap(({ kind, rules = [] }) =>
    kind === 'ClusterRole' ? [{ rules }] : kind === 'Role' ? [{ namespace: 'ingress', rules }] : [],
  )
}

/** Every query of the alerts and the dashboard beside a chart, by where it stands. */
function queriesOf(name: RunningName): readonly (readonly [place: string, query: string])[] {
  const file = (path: string): string => readFileSync(join(deploy, name, 'chart/files', path), 'utf8')
  const alerts = parse(file('alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const board = JSON.parse(file('dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
    templating: { list: { name: string; type: string; query: string }[] }
  }
  const variables = board.templating.list.flatMap(({ name: variable, type, query }) => {
    const [, selector, label] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? []
    return type === 'query' ? [[`variable ${variable}`, `sum by (${label}) (${selector})`] as const] : []
  })
  return [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
    ...board.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ...variables,
  ]
}

describe.skipIf(missing !== undefined)('the daemons in a run with everything on', () => {
  const pair = missing === undefined ? makePair('tea.example.org') : { cert: '', key: '' }
  const forbidden = forbiddenTexts(pair.key)
  let run: RunningDaemons

  beforeAll(async () => {
    run = await startRunningDaemons(pair)
    const { netns, daemons } = run
    const ask = (host: string, ...words: readonly string[]) =>
      netns.run('curl', ['-sk', '--max-time', '3', '-H', `Host: ${host}.example.org`, ...words, 'http://127.0.0.1/'])
    for (const name of ['tea', 'orphan', 'users', 'bad-users', 'bad-base64', 'bad-ca', 'bad-upstream', 'broken']) {
      await ask(name)
      await ask(name, '-u', 'tea:milk')
    }
    for (const question of ['tea.shop.svc.cluster.local', 'absent.shop.svc.cluster.local', 'a.example.net'])
      for (let times = 0; times < 2; times += 1) await netns.run('dig', ['+tries=1', '@127.0.0.1', question])
    // A change that counts, then a server that turns everything away.
    for (const { api } of Object.values(daemons)) {
      const slice = api.get('EndpointSlice', 'tea-a', 'shop')
      const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': new Date().toISOString() }
      const more = { addresses: ['10.20.3.5'], conditions: { ready: true } }
      if (slice !== undefined)
        api.apply({ ...slice, metadata: { ...slice.metadata, annotations }, endpoints: [more] } as typeof slice)
    }
    // What is late shows in the rows below.
    const { program, get } = daemons['ingress-ts']
    const isCounted = async (): Promise<boolean> =>
      /controller_requests\{.*ingress="tea"/.test(await get('/metrics')) &&
      (await get('/metrics')).includes('quarantined_ingress{')
    await program.waitUntil(isCounted, 8_000).catch(() => {})
    const wrote = () => daemons['ingress-ts'].rights.some((right) => right.verb === 'patch')
    await program.waitUntil(wrote, 12_000).catch(() => {})
  }, 150_000)
  afterAll(() => run?.close())

  describe.each(daemonNames)('%s', (name) => {
    it('asks only for what its RBAC allows', () => {
      const scopes = [...scopesOf(name), forEverybody]
      const refused = run.daemons[name].rights.filter((right) => !isAllowed(scopes, right)).map(printRight)
      expect([...new Set(refused)]).toEqual([])
      expect(run.daemons[name].rights.length).toBeGreaterThan(2)
    })

    it('is allowed nothing that no feature uses', () => {
      // A watch that brings the first state itself needs no list; servers that cannot do that are listed.
      const seen = run.daemons[name].rights.map(grantOf)
      const lists = seen.filter((grant) => grant.startsWith('watch ')).map((grant) => grant.replace('watch', 'list'))
      const used = new Set([...seen, ...lists, ...Object.keys(usedElsewhere[name])])
      expect(listGrants(scopesOf(name)).filter((grant) => !used.has(grant))).toEqual([])
      const granted = new Set(listGrants(scopesOf(name)))
      expect(Object.keys(usedElsewhere[name]).filter((grant) => !granted.has(grant))).toEqual([])
    })

    it('exposes every metric and label that its alerts and its dashboard name', async () => {
      const exposed = readExposed(await run.daemons[name].get('/metrics'))
      const faults = queriesOf(name).flatMap(([place, query]) =>
        queryFaults(query, exposed).map((fault) => `${place}: ${fault}`),
      )
      // Series of requests: their labels are shown in apps/ingress-ts/src/dashboards.test.ts.
      const ofRequests =
        /nginx_ingress_controller_requests? has no series|request_duration_seconds_bucket has no series/
      expect(faults.filter((fault) => !ofRequests.test(fault))).toEqual([])
    })

    it('says no secret: not in logs, metrics, configuration pages or Events', async () => {
      const { api, program, get } = run.daemons[name]
      for (const kind of ['unauthorized', 'garbage', 'serverError'] as const) api.faults.inject({ kind, times: 1 })
      api.dropConnections()
      await program.waitUntil(() => api.faults.list().length === 0, 30_000)
      const events = JSON.stringify(api.list('Event'))
      const pages = await Promise.all(['/metrics', '/configz', '/healthz', '/debug/pprof', '/'].map(get))
      for (const [place, text] of Object.entries({ events, pages: pages.join('\n'), output: program.output() }))
        expect(leaksIn(text, forbidden), place).toEqual([])
      expect(program.output().length).toBeGreaterThan(100)
    })
  })

  it.each(daemonNames)('%s does not repeat a kubeconfig that does not parse', async (name) => {
    const file = join(run.dir, `${name}.broken`)
    writeFileSync(file, `apiVersion: v1\nkind: Config\nusers: [{name: u, user: {token: ${canaries.token}\nfoo: "bar\n`)
    const corefile = join(run.dir, 'broken.Corefile')
    writeFileSync(corefile, `.:5300 {\n kubernetes cluster.local {\n  kubeconfig ${file}\n }\n}\n`)
    const words = {
      'coredns-ts': ['-conf', corefile],
      'kube-proxy-ts': [`--kubeconfig=${file}`, '--hostname-override=node-1', '--v=10'],
      'ingress-ts': [
        `--kubeconfig=${file}`,
        `--run-directory=${run.dir}/broken`,
        '--http-port=81',
        '--https-port=444',
        '--default-server-port=8183',
        '--healthz-port=10255',
        '--status-port=10251',
        '--v=10',
      ],
    }
    const { exitCode, stdout, stderr } = await run.netns.run(
      process.execPath,
      [await bundleDaemon(name), ...words[name]],
      { timeoutMs: 20_000, env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress' } },
    )
    expect(exitCode, stdout + stderr).not.toBe(0)
    expect(stdout + stderr).toContain(file)
    expect(leaksIn(stdout + stderr, forbidden)).toEqual([])
  })
})
