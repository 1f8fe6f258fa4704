import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

const errorPages = [service('shop/sorry'), endpointSlice('shop/sorry', ['10.244.1.9'])]

describe('custom-http-errors', () => {
  it('fetch the page of the default backend', () => {
    const lines = locationLines(shop({ annotations: { 'custom-http-errors': '404, 503' } }))
    expect(lines).toContain('proxy_intercept_errors on')
    expect(lines).toContain('error_page 404 = @custom_upstream-default-backend_404')
  })

  it('fetch the page of the Service that default-backend names', () => {
    const annotations = { 'custom-http-errors': '404', 'default-backend': 'sorry' }
    const built = shop({ annotations, objects: errorPages })
    expect(locationLines(built)).toContain('error_page 404 = @custom_custom-default-backend-shop-sorry_404')
    expect(built.text).toContain('set $proxy_upstream_name custom-default-backend-shop-sorry;')
  })

  it('leave the backend’s answers alone where that is wanted', () => {
    const annotations = { 'custom-http-errors': '404', 'disable-proxy-intercept-errors': 'true' }
    expect(locationLines(shop({ annotations })).join()).not.toContain('proxy_intercept_errors')
  })

  it('replace them where only the ConfigMap says otherwise, which means its own codes', () => {
    const configMap = { 'disable-proxy-intercept-errors': 'true' }
    const built = shop({ annotations: { 'custom-http-errors': '404' }, configMap })
    expect(locationLines(built)).toContain('proxy_intercept_errors on')
  })

  it.each([['200'], ['404 x'], ['600']])('%s refuses the Ingress', (value) => {
    expect(shop({ annotations: { 'custom-http-errors': value } }).translation.accepted).toEqual([])
  })
})

describe('default-backend', () => {
  it('answers where the backend has no endpoints, and learns for whom', () => {
    const empty = endpointSlice('shop/tea', [])
    const built = shop({ annotations: { 'default-backend': 'sorry' }, objects: [...errorPages, empty] })
    const lines = locationLines(built)
    expect(lines).toContain('set $proxy_upstream_name custom-default-backend-shop-sorry')
    expect(lines).toContain('proxy_set_header X-Code 503')
  })
})
