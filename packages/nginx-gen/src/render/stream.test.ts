import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { printConfig } from '../config/print.ts'
import { configMap } from '../testing/objects.ts'
import { translateIngresses } from '../translate/translate.ts'
import type { ConfigPaths } from './paths.ts'
import { renderConfig } from './render.ts'

const objects = [
  service('shop/tea'),
  endpointSlice('shop/tea', ['10.244.1.5']),
  service('shop/named', { type: 'ExternalName', externalName: 'db.example.net' }),
]

/** The stream block of one exposed port. */
function stream(value: string, settings: { readonly [key: string]: string }, paths: Partial<ConfigPaths>): string {
  const maps = [configMap('ingress/tcp', { '9000': value }), configMap('ingress/main', settings)]
  const options = { tcpServices: 'ingress/tcp', configMap: 'ingress/main' }
  const text = printConfig(renderConfig(translateIngresses(snapshotOf([...objects, ...maps]), options).value, paths))
  return text.slice(text.indexOf('\nstream {'))
}

describe('TCP services', () => {
  const resolvers = { resolvers: ['192.0.2.53'] }

  it('balance over their endpoints', () => {
    const text = stream('shop/tea:80', {}, resolvers)
    expect(text).toMatch(/upstream tcp-9000 \{\s+server 10\.244\.1\.5:8080;/)
    expect(text).toContain('proxy_pass tcp-9000;')
    expect(text).not.toContain('set_real_ip_from')
  })

  it('of a name look it up at each connection, so that one that does not exist stops nothing else', () => {
    const text = stream('shop/named:80', {}, resolvers)
    expect(text).toContain('resolver 192.0.2.53')
    expect(text).toMatch(/set \$stream_target "?db\.example\.net:\d+"?;\s+proxy_pass \$stream_target;/)
    expect(text).not.toContain('upstream tcp-')
  })

  it('of a name are looked up by nginx when it starts where no name server is known', () => {
    expect(stream('shop/named:80', {}, {})).toMatch(/upstream tcp-9000 \{\s+server db\.example\.net:\d+;/)
  })

  it('know clients by the PROXY header of trusted senders where real addresses are wanted', () => {
    const settings = { 'enable-real-ip': 'true', 'proxy-real-ip-cidr': '192.0.2.0/24,198.51.100.7' }
    const text = stream('shop/tea:80:PROXY:PROXY', settings, resolvers)
    expect(text).toContain('set_real_ip_from 192.0.2.0/24;\n  set_real_ip_from 198.51.100.7;')
  })
})
