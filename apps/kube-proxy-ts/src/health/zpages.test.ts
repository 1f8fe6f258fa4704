import { describe, expect, it } from 'vitest'
import { flagTable, readFlags } from '../flags.ts'
import { flagzReply, type ProcessFacts, statuszReply } from './zpages.ts'

const startMs = Date.parse('2026-11-02T09:16:04.700Z')
const facts: ProcessFacts = {
  flags: readFlags(['--hostname-override', 'edge-1', '--iptables-sync-period=1h']).texts,
  startMs,
  version: '1.37.2',
  runtime: 'node v20.20.2',
}
const flagz = (accept?: string) => flagzReply({ headers: accept === undefined ? {} : { accept } }, facts)
const statusz = (accept?: string) =>
  statuszReply({ headers: accept === undefined ? {} : { accept } }, facts, startMs + 3_725_000)

const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.'

describe('/flagz and /statusz, as kube-proxy 1.37.2 answers them', () => {
  it('tell people how the process was started', () => {
    expect(statusz()).toEqual({
      body: `\nkube-proxy statusz\n${warning}\n\nStarted: Mon Nov  2 09:16:04 UTC 2026\nUp: 1 hr 02 min 05 sec\nGo version: node v20.20.2\nBinary version: 1.37.2\nEmulation version: 1.37\nPaths: /configz /flagz /healthz /metrics /proxyMode\n`,
    })
  })

  it('tell people every flag, given or not', () => {
    const { body } = flagz()
    const lines = body.split('\n')
    expect(lines.slice(0, 4)).toEqual(['', 'kube-proxy flagz', warning, 'bind-address:0.0.0.0'])
    expect(lines).toEqual(
      expect.arrayContaining([
        'feature-gates:',
        'help:false',
        'hostname-override:edge-1',
        'iptables-min-sync-period:1s',
        'iptables-sync-period:1h0m0s',
        'kube-api-qps:5',
        'log-json-info-buffer-size:0',
        'nodeport-addresses:[]',
        'v:0',
      ]),
    )
    expect(lines.length).toBe(Object.keys(flagTable).length + 1 + 4)
    expect(body.endsWith('\nwrite-config-to:\n')).toBe(true)
  })

  it.each([
    ['text/plain', 'text'],
    ['*/*', 'text'],
    ['image/png, text/plain', 'text'],
    ['application/json;as=Statusz;v=v1beta1;g=config.k8s.io,*/*', 'v1beta1'],
    ['text/plain;q=0.1, application/json;g=config.k8s.io;as=Statusz;v=v1beta1', 'v1beta1'],
    ['application/json', 406],
    ['application/*', 406],
    ['application/json;as=Statusz;g=config.k8s.io', 406],
    ['application/json;as=Statusz;v=v9;g=config.k8s.io', 406],
    ['application/json;as=Flagz;v=v1beta1;g=config.k8s.io', 406],
    ['text/html', 406],
    ['TEXT/PLAIN', 406],
  ])('asked for %s: %s', (accept, wanted) => {
    const { status, contentType = 'text', body } = statusz(accept)
    expect(status ?? /v=(\w+)/.exec(contentType)?.[1] ?? contentType).toBe(wanted)
    if (status === 406) expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'NotAcceptable', code: 406 })
  })

  it('give programs an object, and warn of the older version', () => {
    const { contentType, headers, body } = statusz('application/json;as=Statusz;v=v1alpha1;g=config.k8s.io')
    expect(contentType).toBe('application/json;g=config.k8s.io;v=v1alpha1;as=Statusz')
    expect(headers?.['Warning']).toBe(
      '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."',
    )
    expect(body.split('\n').slice(0, 8)).toEqual([
      '{',
      '  "kind": "Statusz",',
      '  "apiVersion": "config.k8s.io/v1alpha1",',
      '  "metadata": {',
      '    "name": "kube-proxy"',
      '  },',
      '  "startTime": "2026-11-02T09:16:04Z",',
      '  "uptimeSeconds": 3725,',
    ])
  })

  it('write YAML for who asks for it', () => {
    const { body, headers } = flagz('application/yaml;as=Flagz;v=v1beta1;g=config.k8s.io')
    expect(headers).toBeUndefined()
    expect(body).toMatch(/^apiVersion: config.k8s.io\/v1beta1\nflags:\n {2}bind-address: 0.0.0.0\n/)
    expect(body).toMatch(/\nkind: Flagz\nmetadata:\n {2}name: kube-proxy\n$/)
  })
})
