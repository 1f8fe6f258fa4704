// The API server of the DNS benchmarks as a process of its own: `cluster-process.js KUBECONFIG SERVICES`. Prints `ready`,
// then takes lines `churn PER_SECOND`; 0 stops.

import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { clusterOf, sliceAt } from './objects.ts'

const [kubeconfig = '', count = '10000'] = process.argv.slice(2)
const services = Number(count)
const server = await createMiniApiServer({ isPlainHttp: true, runsEndpointSlices: false, historySize: 10_000 })
for (const object of clusterOf(services)) server.apply(object)
writeFileSync(kubeconfig, server.kubeconfig())
console.log('ready')

let timer: NodeJS.Timeout | undefined
let changes = 0
for await (const line of createInterface({ input: process.stdin })) {
  const [, perSecond = '0'] = line.split(' ')
  clearInterval(timer)
  if (perSecond !== '0') timer = setInterval(() => changeSome(Number(perSecond) / 100), 10)
}
process.exit()

function changeSome(many: number): void {
  for (let i = 0; i < many; i++) {
    changes++
    server.apply(sliceAt((changes * 7919) % services, 1 + Math.floor(changes / services)))
  }
}
