import { describe, expect, it } from 'vitest'
import { type NameRequest, parseRequestName } from './request-name.ts'

const show = (request: NameRequest): string => {
  switch (request.kind) {
    case 'apex':
    case 'invalid':
      return request.kind
    case 'namespace':
      return `${request.tree} namespace ${request.namespace}`
    case 'pod':
      return `pod ${request.pod} of ${request.namespace}`
    case 'service': {
      const { service, namespace, endpoint, cluster, port, protocol, zonal } = request
      const zone = zonal === undefined ? '' : ` ${zonal.directive} ${zonal.topologyZone}`
      return `${service} of ${namespace} [${endpoint}|${cluster}|${port}|${protocol}]${zone}`
    }
  }
}

describe('names of a cluster zone', () => {
  it.each([
    ['', 'apex', 'the zone itself'],
    ['svc.', 'apex', 'the tree of services'],
    ['x.', 'invalid', 'neither services nor pods'],
    ['shop.svc.', 'svc namespace shop', 'a namespace'],
    ['shop.pod.', 'pod namespace shop', 'a namespace of pods'],
    ['tea.shop.svc.', 'tea of shop [|||]', 'a service'],
    ['e.tea.shop.svc.', 'tea of shop [e|||]', 'an endpoint'],
    ['_http._tcp.tea.shop.svc.', 'tea of shop [||http|tcp]', 'a port'],
    ['http.tcp.tea.shop.svc.', 'tea of shop [||http|tcp]', 'underscores are not needed'],
    ['_._tcp.tea.shop.svc.', 'tea of shop [|||tcp]', 'an empty port matches everything'],
    ['a.b.c.tea.shop.svc.', 'invalid', 'too many labels'],
    ['10-0-0-1.shop.pod.', 'pod 10-0-0-1 of shop', 'a pod'],
    ['x.y.10-0-0-1.shop.pod.', 'pod 10-0-0-1 of shop', 'labels in front of a pod are ignored'],
    ['eu.west.pin._zone.tea.shop.svc.', 'tea of shop [|||] pin eu.west', 'endpoints of one topology zone'],
    ['pin._zone.tea.shop.svc.', 'tea of shop [||pin|zone]', 'without a zone label it is a port'],
    ['a.only._zone.tea.shop.svc.', 'invalid', 'another directive'],
  ])('%s is %s (%s)', (left, expected) => {
    const options = { isMulticluster: false, hasZonalNames: true }
    expect(show(parseRequestName(`${left}cluster.local.`, 'cluster.local.', options))).toBe(expected)
  })

  it('reads two plain labels as endpoint and cluster in multi-cluster zones', () => {
    const options = { isMulticluster: true, hasZonalNames: false }
    const read = (name: string): string => show(parseRequestName(name, 'x.', options))
    expect(read('e.east.tea.shop.svc.x.')).toBe('tea of shop [e|east||]')
    expect(read('_http.tcp.tea.shop.svc.x.')).toBe('tea of shop [||http|tcp]')
  })
})
