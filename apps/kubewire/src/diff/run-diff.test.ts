import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'

let folder = ''
let server: MiniApiServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
  server = await createMiniApiServer()
  server.apply(service('shop/tea', { clusterIP: '10.96.4.4' }), endpointSlice('shop/tea', ['10.244.1.11']))
  await writeFile(join(folder, 'config'), server.kubeconfig())
  const tea = 'apiVersion: v1\nkind: Service\nmetadata: {name: tea, namespace: shop}\nspec: {ports: [PORT]}\n'
  await writeFile(join(folder, 'same.yaml'), tea.replace('PORT', '{name: http, port: 80, targetPort: 8080}'))
  await writeFile(join(folder, 'moved.yaml'), tea.replace('PORT', '{name: http, port: 81, targetPort: 8080}'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

test.each([
  ['a file without the address that the cluster gave is no difference', ['--live', 'same.yaml'], 0, /^$/, /^$/],
  [
    'a port that moves is',
    ['--live', 'moved.yaml'],
    1,
    /tcp to 10\.96\.4\.4:80 from outside\n {2}- 10\.244\.1\.11:8080/,
    /^$/,
  ],
  ['with a cluster only NEW is named', ['--live', 'same.yaml', 'moved.yaml'], 2, /^$/, /expected NEW alone/],
  ['a cluster without --live is a mistake', ['same.yaml', 'moved.yaml'], 2, /^$/, /expected --live/],
] as const)('%s', async (_name, words, code, data, notes) => {
  let printed = ''
  let noted = ''
  const output = {
    data: (text: string) => {
      printed += text
    },
    note: (text: string) => {
      noted += text
    },
    readStdin: async () => '',
    hasColour: false,
  }
  const paths = words.map((word) => (word.endsWith('.yaml') ? join(folder, word) : word))
  expect(await runCli(['proxy', 'diff', '--kubeconfig', join(folder, 'config'), ...paths], output)).toBe(code)
  expect(printed).toMatch(data)
  expect(noted).toMatch(notes)
})
