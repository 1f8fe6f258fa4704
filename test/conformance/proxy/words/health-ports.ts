// health-check-node-port-server: the responders over real HTTP on loopback, with the counts that the file gives.

import { createLog } from '@kubewire/daemon-kit'
import type { CaseRequest } from '@kubewire/iptables-gen/cases'
import { createHealthPorts } from '../../../../apps/kube-proxy-ts/src/health/health-ports.ts'
import type { Checks } from './check.ts'

type Row = Readonly<Record<string, unknown>>

export async function healthPortsCase(data: Row, checks: Checks): Promise<void> {
  let isProxyHealthy = true
  const failures: string[] = []
  const responders = createHealthPorts({
    addresses: ['127.0.0.1'],
    isProxyHealthy: () => isProxyHealthy,
    log: createLog({ format: 'json', write: () => {} }),
    onListenFailure: (service, message) => void failures.push(`${service.name}: ${message}`),
  })
  try {
    for (const [i, step] of (data['steps'] as Row[]).entries()) {
      const name = `steps[${i}]`
      if (step['proxyHealthy'] !== undefined) isProxyHealthy = step['proxyHealthy'] === true
      const services = step['services'] as Readonly<Record<string, number>> | undefined
      if (services !== undefined)
        await responders.setServices(
          new Map(Object.entries(services).map(([key, port]) => [key, serviceOf(key, port)])),
        )
      const counts = step['endpoints'] as Readonly<Record<string, number>> | undefined
      if (counts !== undefined) responders.setCounts(new Map(Object.entries(counts)))
      if (step['openPorts'] !== undefined) checks.equal(`${name} openPorts`, step['openPorts'], responders.ports)
      for (const [j, request] of ((step['requests'] as CaseRequest[] | undefined) ?? []).entries())
        await checkRequest(`${name}.requests[${j}] :${request.port}`, request, checks)
    }
    checks.equal('every port could be opened', [], failures)
  } finally {
    await responders.close()
  }
}

function serviceOf(
  key: string,
  port: number,
): { readonly namespace: string; readonly name: string; readonly port: number } {
  const [namespace = '', name = ''] = key.split('/')
  return { namespace, name, port }
}

async function checkRequest(name: string, { port, path, expect }: CaseRequest, checks: Checks): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
  const text = await response.text()
  const headers = Object.fromEntries(
    Object.keys(expect.headers).map((header) => [header, response.headers.get(header)]),
  )
  checks.equal(
    name,
    { ...expect, json: expect.json },
    { status: response.status, headers, json: JSON.parse(text) as unknown, text },
  )
}
