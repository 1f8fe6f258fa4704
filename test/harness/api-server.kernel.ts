// A real API server answers from a namespace without links. Needs the originals; skips with the reason otherwise.

import { describe, expect, it } from 'vitest'
import { originalBinary, startRealApiServer } from './api-server.ts'
import { createNetns, whyNoNetns } from './netns.ts'

const reason = whyNoNetns() ?? whyNoOriginals()
if (reason !== undefined) console.log(`api-server.kernel.ts skipped: ${reason}`)

function whyNoOriginals(): string | undefined {
  try {
    originalBinary('kube-apiserver')
    return undefined
  } catch (error) {
    return String(error)
  }
}

describe.skipIf(reason !== undefined)('a real API server in a namespace', () => {
  it('stores what it is given and knows its users', async () => {
    const netns = await createNetns('api')
    const server = await startRealApiServer(netns)
    try {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
      expect((await server.request('POST', '/api/v1/namespaces', { body })).status).toBe(201)
      expect((await server.request('GET', '/api/v1/namespaces/shop')).body).toMatchObject({ kind: 'Namespace' })
      expect((await server.request('GET', '/api/v1/namespaces', { as: 'plain' })).status).toBe(403)
      expect((await server.request('GET', '/api/v1/namespaces', { as: 'stranger' })).status).toBe(401)
      expect((await server.request('GET', '/version')).body).toMatchObject({ gitVersion: 'v1.37.2' })
    } finally {
      await server.close()
      await netns.close()
    }
  })
})
