import { describe, expect, it } from 'vitest'
import { configMap } from '../testing/objects.ts'
import { locationLines, shop } from '../testing/shop.ts'

describe('the request to the backend', () => {
  it.each([
    ['HTTPS is spoken where wanted', { 'backend-protocol': 'HTTPS' }, 'proxy_pass https://upstream_balancer'],
    ['the case of letters does not count', { 'backend-protocol': 'grpc' }, 'grpc_pass grpc://upstream_balancer'],
    ['the scheme may follow the client', { 'backend-protocol': 'AUTO_HTTP' }, 'proxy_pass $scheme://upstream_balancer'],
    ['a word that is no protocol is HTTP', { 'backend-protocol': 'SPDY' }, 'proxy_pass http://upstream_balancer'],
    ['FastCGI has its own directive', { 'backend-protocol': 'FCGI' }, 'fastcgi_pass upstream_balancer'],
    ['the Host header can be set', { 'upstream-vhost': 'inside.example' }, 'proxy_set_header Host inside.example'],
    [
      'variables expand in it',
      { 'upstream-vhost': '$service_name.example' },
      'proxy_set_header Host $service_name.example',
    ],
    ['Connection can be set', { 'connection-proxy-header': 'close' }, 'proxy_set_header Connection close'],
  ])('%s', (_, annotations, line) => {
    expect(locationLines(shop({ annotations: annotations as { [name: string]: string } }))).toContain(line)
  })

  it('gRPC has headers and times of its own', () => {
    const annotations = { 'backend-protocol': 'GRPCS', 'proxy-read-timeout': '33', 'upstream-vhost': 'x.example' }
    const lines = locationLines(shop({ annotations }))
    expect(lines).toContain('grpc_read_timeout 33s')
    expect(lines).toContain('grpc_set_header Host x.example')
    expect(lines.join()).not.toContain('proxy_pass')
  })

  it('FastCGI parameters come from a ConfigMap', () => {
    const annotations = {
      'backend-protocol': 'FCGI',
      'fastcgi-params-configmap': 'params',
      'fastcgi-index': 'index.php',
    }
    const objects = [configMap('shop/params', { SCRIPT_FILENAME: '/srv$fastcgi_script_name' })]
    const lines = locationLines(shop({ annotations, objects }))
    expect(lines).toContain('fastcgi_index index.php')
    expect(lines).toContain('fastcgi_param SCRIPT_FILENAME /srv$fastcgi_script_name')
  })

  it('a ConfigMap of parameters that is not there denies, whatever the protocol', () => {
    expect(locationLines(shop({ annotations: { 'fastcgi-params-configmap': 'gone' } }))).toContain('return 503')
  })

  it('one with a text that is no parameter refuses the Ingress', () => {
    const objects = [configMap('shop/params', { A: 'x;y' })]
    expect(shop({ annotations: { 'fastcgi-params-configmap': 'params' }, objects }).translation.accepted).toEqual([])
  })
})
