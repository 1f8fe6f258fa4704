import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectKubeconfig, loginOf, readKubeconfig, unsupportedIn } from './kubeconfig.ts'

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
})
afterEach(() => rm(directory, { recursive: true }))

const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(directory, name), text)
  return join(directory, name)
}

const config = (user: string, cluster = '', context = ''): string => `
apiVersion: v1
kind: Config
current-context: main
clusters:
- name: c
  cluster: {server: "https://192.0.2.1:6443"${cluster}}
users:
- name: u
  user: {${user}}
contexts:
- name: main
  context: {cluster: c, user: u${context}}
`
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const credentialsOf = async (text: string) => loginOf(await readKubeconfig({ text })).credentials()

describe('a kubeconfig', () => {
  it.each<[string, string, string, object]>([
    ['a token', 'token: abc', '', { headers: { authorization: 'Bearer abc' }, tls: {} }],
    [
      'a basic login',
      'username: me, password: "p:w"',
      '',
      { headers: { authorization: `Basic ${base64('me:p:w')}` }, tls: {} },
    ],
    [
      'impersonation',
      'token: abc, as: jane, as-groups: [a, b]',
      '',
      {
        headers: { authorization: 'Bearer abc', 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b'] },
        tls: {},
      },
    ],
    [
      'no verification',
      'token: abc',
      ', insecure-skip-tls-verify: true',
      { headers: { authorization: 'Bearer abc' }, tls: { rejectUnauthorized: false } },
    ],
    [
      'another server name',
      '',
      ', tls-server-name: api.example.org',
      { headers: {}, tls: { servername: 'api.example.org' } },
    ],
    [
      'certificates in the file',
      `client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')}`,
      `, certificate-authority-data: ${base64('CA')}`,
      { headers: {}, tls: { ca: Buffer.from('CA'), cert: Buffer.from('CERT'), key: Buffer.from('KEY') } },
    ],
  ])('with %s', async (_name, user, cluster, credentials) => {
    expect(await credentialsOf(config(user, cluster))).toEqual(credentials)
  })

  it('reads files beside itself, and again after a refusal', async () => {
    await file('ca.crt', 'CA')
    await file('token', 'first\n')
    const path = await file('config', config('tokenFile: token', ', certificate-authority: ca.crt'))
    const login = loginOf(await readKubeconfig({ path }))
    expect(await login.credentials()).toEqual({ headers: { authorization: 'Bearer first' }, tls: { ca: 'CA' } })
    await file('token', 'second')
    expect((await login.credentials()).headers['authorization']).toBe('Bearer first')
    login.refresh()
    expect((await login.credentials()).headers['authorization']).toBe('Bearer second')
  })

  it('a token file that vanishes while it is rotated does not cost the token', async () => {
    await file('token', 'first')
    const path = await file('config', config('tokenFile: token'))
    const login = loginOf(await readKubeconfig({ path }))
    await login.credentials()
    await rm(join(directory, 'token'))
    login.refresh()
    expect((await login.credentials()).headers['authorization']).toBe('Bearer first')
  })

  it('runs a credential plugin, and again when its token was refused', async () => {
    await file(
      'plugin.mjs',
      `
import { readFileSync, writeFileSync } from 'node:fs'
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
const at = process.env.COUNTER
let n = 0
try { n = Number(readFileSync(at, 'utf8')) } catch {}
writeFileSync(at, String(n + 1))
console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status: { token: process.argv[2] + n } }))`,
    )
    const exec = `exec: {apiVersion: client.authentication.k8s.io/v1, command: "${process.execPath}", args: ["${directory}/plugin.mjs", token-], env: [{name: COUNTER, value: "${directory}/count"}]}`
    const login = loginOf(await readKubeconfig({ text: config(exec) }))
    const tokens = await Promise.all([login.credentials(), login.credentials()])
    expect(tokens.map(({ headers }) => headers['authorization'])).toEqual(['Bearer token-0', 'Bearer token-0'])
    expect((await login.credentials()).headers['authorization']).toBe('Bearer token-0')
    login.refresh()
    expect((await login.credentials()).headers['authorization']).toBe('Bearer token-1')
  })

  it.each([
    ['does not exist', 'command: /does/not/exist', 'failed'],
    ['prints no JSON', `command: "${process.execPath}", args: [-e, "console.log(1,2)"]`, 'printed no JSON'],
    [
      'gives nothing',
      `command: "${process.execPath}", args: [-e, "console.log('{}')"]`,
      'neither a token nor a certificate',
    ],
  ])('a plugin that %s is an error that says so', async (_name, exec, message) => {
    await expect(credentialsOf(config(`exec: {${exec}}`))).rejects.toThrow(message)
  })

  it('chooses the context, the namespace and the server it is told', async () => {
    const text = config('token: abc', '', ', namespace: shop')
    expect(await readKubeconfig({ text })).toMatchObject({
      contextName: 'main',
      namespace: 'shop',
      cluster: { server: 'https://192.0.2.1:6443' },
    })
    expect((await readKubeconfig({ text, server: 'https://198.51.100.1' })).cluster.server).toBe('https://198.51.100.1')
  })

  it('of several files, the first that defines a name counts', async () => {
    const first = await file('one', config('token: one'))
    const second = await file('two', config('token: two').replace('current-context: main', 'current-context: other'))
    const context = await readKubeconfig({ path: `${first}:${join(directory, 'missing')}:${second}` })
    expect([context.contextName, context.user.token]).toEqual(['main', 'one'])
    expect((await readKubeconfig({ env: { KUBECONFIG: second }, context: 'main' })).user.token).toBe('two')
  })

  it('may leave out apiVersion and kind, and may be JSON', async () => {
    const plain = config('token: abc').replace('apiVersion: v1\nkind: Config\n', '')
    expect((await readKubeconfig({ text: plain })).user.token).toBe('abc')
    const json = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      clusters: [{ name: 'c', cluster: { server: 'http://192.0.2.1' } }],
      users: [],
      contexts: [{ name: 'x', context: { cluster: 'c' } }],
    }
    expect((await readKubeconfig({ text: JSON.stringify(json) })).cluster.server).toBe('http://192.0.2.1')
  })

  it.each([
    ['an auth provider', config('auth-provider: {name: oidc}'), 'an auth provider'],
    ['a proxy', config('token: a', ', proxy-url: "http://192.0.2.9:3128"'), 'a proxy'],
  ])('with %s needs client-node', async (_name, text, what) => {
    expect(unsupportedIn(await readKubeconfig({ text }))).toBe(what)
    await expect(connectKubeconfig({ text })).rejects.toThrow('informer/client-node')
  })

  it.each([
    ['no such context', { text: config('token: a'), context: 'other' }, 'expected a context "other"'],
    [
      'no server',
      { text: config('token: a').replace('cluster: c', 'cluster: missing') },
      'expected a server in cluster "missing"',
    ],
    ['no file', { path: '/does/not/exist' }, 'expected a kubeconfig at /does/not/exist'],
    ['no YAML', { text: 'a: [' }, 'expected YAML or JSON'],
    ['nothing', { text: '' }, 'expected a context ""'],
  ])('%s is an error that says so', async (_name, options, message) => {
    await expect(readKubeconfig(options)).rejects.toThrow(message)
  })
})
