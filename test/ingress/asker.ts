// Asks nginx from inside a namespace: lines of JSON with lists of requests come in, lists of answers go out.

import http from 'node:http'
import { createInterface } from 'node:readline'
import type { WorldRequest } from './random-world.ts'

/** What a client sees. */
export interface WorldAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** What the backend saw; absent where nginx answered itself. */
  readonly seen: { readonly name: string; readonly path: string; readonly headers: object } | undefined
}

// Of the headers those that the configuration decides about.
const compared = ['location', 'strict-transport-security', 'access-control-allow-origin', 'www-authenticate', 'server']

for await (const line of createInterface({ input: process.stdin })) {
  const answers: WorldAnswer[] = []
  for (const request of JSON.parse(line) as readonly WorldRequest[]) answers.push(await ask(request))
  process.stdout.write(`${JSON.stringify(answers)}\n`)
}
process.exit()

function ask({ host, path, method, headers, bodySize }: WorldRequest): Promise<WorldAnswer> {
  const body = 'x'.repeat(bodySize)
  const length = bodySize === 0 ? {} : { 'content-length': String(bodySize) }
  return new Promise((resolve) => {
    const failed = (): void => resolve({ status: 0, headers: {}, seen: undefined })
    const sent = http.request(
      {
        ...{ host: '127.0.0.1', port: 80, path, agent: false },
        method: bodySize > 0 ? 'POST' : method,
        headers: { host, ...length, ...headers },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('error', failed)
        answer.on('end', () => {
          const found = compared.filter((name) => answer.headers[name] !== undefined)
          resolve({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(found.map((name) => [name, String(answer.headers[name])])),
            seen: seenIn(text),
          })
        })
      },
    )
    sent.setTimeout(5000, () => sent.destroy())
    sent.on('error', failed)
    sent.end(body)
  })
}

function seenIn(text: string): WorldAnswer['seen'] {
  if (!text.startsWith('{')) return undefined
  const { name, path, headers } = JSON.parse(text) as NonNullable<WorldAnswer['seen']>
  // Made anew for each request.
  const { 'x-request-id': _, ...kept } = headers as { readonly [name: string]: string }
  return { name, path, headers: kept }
}
