import type { KubeObject } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../resource.ts'
import { ConfigMaps, Nodes } from '../resources.ts'
import type { ListOptions, Scope, WatchOptions } from '../source.ts'
import type { HttpAnswer, HttpRequest } from './http-client.ts'
import { createHttpSource } from './http-source.ts'

const signal = new AbortController().signal

async function* bodyOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

function sourceOf(
  answer: Partial<HttpAnswer> & { readonly text?: string } = {},
  resource: Resource<KubeObject> = ConfigMaps as Resource<KubeObject>,
  scope?: Scope,
) {
  const requests: HttpRequest[] = []
  const client = {
    send: async (request: HttpRequest): Promise<HttpAnswer> => {
      requests.push(request)
      return {
        statusCode: 200,
        contentType: 'application/json',
        body: bodyOf(answer.text ?? '{"items":[],"metadata":{"resourceVersion":"7"}}'),
        ...answer,
      }
    },
    close: async () => undefined,
  }
  return { requests, source: createHttpSource(client, resource, scope) }
}

describe('what is asked', () => {
  it.each<[string, Scope | undefined, ListOptions, string]>([
    [
      'a page from the cache',
      undefined,
      { limit: 500, resourceVersion: '0' },
      '/api/v1/configmaps?limit=500&resourceVersion=0',
    ],
    [
      'a page behind a token',
      { namespace: 'shop' },
      { limit: 500, continue: 'a b=' },
      '/api/v1/namespaces/shop/configmaps?limit=500&continue=a%20b%3D',
    ],
    ['everything', undefined, {}, '/api/v1/configmaps'],
    [
      'within selectors',
      { labelSelector: '!x', fieldSelector: 'a!=b' },
      { resourceVersion: '7', resourceVersionMatch: 'Exact' },
      '/api/v1/configmaps?labelSelector=!x&fieldSelector=a!%3Db&resourceVersion=7&resourceVersionMatch=Exact',
    ],
    [
      'within the scope’s and the call’s selectors',
      { fieldSelector: 'a=b' },
      { limit: 1, fieldSelector: 'metadata.name=c' },
      '/api/v1/configmaps?fieldSelector=a%3Db%2Cmetadata.name%3Dc&limit=1',
    ],
  ])('a list of %s', async (_name, scope, options, target) => {
    const { requests, source } = sourceOf({}, undefined, scope)
    await source.list(options, signal)
    expect(requests.map((request) => [request.target, request.accept])).toEqual([[target, 'application/json']])
  })

  it.each<[string, Scope | undefined, WatchOptions, string]>([
    [
      'changes after a version',
      undefined,
      { resourceVersion: '7', allowWatchBookmarks: true, timeoutSeconds: 300 },
      '/api/v1/nodes?watch=1&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=300',
    ],
    [
      'the state streamed',
      { namespace: 'ignored for nodes' },
      { resourceVersion: '', resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true },
      '/api/v1/nodes?watch=1&resourceVersion=&resourceVersionMatch=NotOlderThan&sendInitialEvents=true',
    ],
  ])('a watch of %s', async (_name, scope, options, target) => {
    const { requests, source } = sourceOf({}, Nodes as Resource<KubeObject>, scope)
    await source.watch(options, signal)
    expect(requests.map((request) => request.target)).toEqual([target])
  })

  it('metadata only has one name in lists and another in watches', async () => {
    const { requests, source } = sourceOf({}, undefined, { metadataOnly: true })
    await source.list({}, signal)
    await source.watch({}, signal)
    expect(requests.map((request) => request.accept)).toEqual([
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    ])
  })
})

describe('what is answered', () => {
  const read = async (text: string) => {
    const page = await sourceOf({ text }).source.list({}, signal)
    const names: (string | undefined)[] = []
    for await (const object of page.items) names.push(object.metadata?.name)
    return {
      names,
      version: page.resourceVersion,
      more: page.continue,
      left: page.remainingItemCount,
      problems: page.problems?.map(({ code }) => code),
    }
  }
  it.each<[string, string, Awaited<ReturnType<typeof read>>]>([
    [
      'a page with more behind it',
      '{"metadata":{"resourceVersion":"7","continue":"t","remainingItemCount":3},"items":[{"metadata":{"name":"a"}}]}',
      { names: ['a'], version: '7', more: 't', left: 3, problems: [] },
    ],
    [
      'an empty token is the last page',
      '{"items":[{"metadata":{"name":"a"}}],"metadata":{"resourceVersion":"7","continue":""}}',
      { names: ['a'], version: '7', more: undefined, left: undefined, problems: [] },
    ],
    [
      'no items at all',
      '{"metadata":{"resourceVersion":"7"},"items":null}',
      { names: [], version: '7', more: undefined, left: undefined, problems: [] },
    ],
    ['no version', '{"items":[]}', { names: [], version: '', more: undefined, left: undefined, problems: [] }],
    [
      'items without a name',
      '{"metadata":{"resourceVersion":"7"},"items":[null,{"metadata":{}},{"metadata":{"name":"a"}}]}',
      { names: ['a'], version: '7', more: undefined, left: undefined, problems: ['INF_BAD_LIST', 'INF_BAD_LIST'] },
    ],
  ])('%s', async (_name, text, expected) => expect(await read(text)).toEqual(expected))

  it.each([
    '{"items":[{"metadata":{"name":"a"}}',
    'no JSON',
    'null',
    '{"kind":"Table","metadata":{"resourceVersion":"7"},"rows":[]}',
  ])('%j is a bad list', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'INF_BAD_LIST', step: 'list' })
  })

  it('anything that is not JSON is refused by its content type', async () => {
    const { source } = sourceOf({ contentType: 'text/html; charset=utf-8' })
    await expect(source.list({}, signal)).rejects.toMatchObject({ code: 'INF_BAD_LIST' })
    await expect(source.watch({}, signal)).rejects.toMatchObject({ code: 'INF_BAD_FRAME' })
  })
})
