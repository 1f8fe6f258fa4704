// The API server of the large cluster as a process of its own: `cluster-process.js KUBECONFIG SERVICES ENDPOINTS INGRESSES`.
// Prints `ready`, then takes lines that are the probes' next address.

import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { clusterOf, probeSlices } from './objects.ts'

const [kubeconfig = '', ...counts] = process.argv.slice(2)
const [services = 0, endpoints = 0, ingresses = 0] = counts.map(Number)
const server = await createMiniApiServer({ isPlainHttp: true, runsEndpointSlices: false, historySize: 1000 })
for (const object of clusterOf({ services, endpoints, ingresses })) server.apply(object)
writeFileSync(kubeconfig, server.kubeconfig())
console.log('ready')
for await (const address of createInterface({ input: process.stdin }))
  for (const slice of probeSlices(address)) server.apply(slice)
process.exit()
