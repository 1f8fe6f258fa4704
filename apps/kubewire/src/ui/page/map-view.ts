// The cluster at a glance: hosts and paths, the Services they lead to, the endpoints behind those, one Service a row.

import { type ObjectRef, printRef } from '@kubewire/kube-model'
import type { MapEndpoint, MapService, MapWay } from '../engine/summarize-cluster.ts'
import { printAddress } from '../view/address.ts'
import { type FindingRow, findingRows, rowsByObject } from '../view/finding-rows.ts'
import { type MapRows, mapRows } from '../view/map-rows.ts'
import type { PageEvent, PageState } from '../view/page-state.ts'
import { h } from './element.ts'

/** The view; `show` draws what has changed. */
export interface MapView {
  readonly element: HTMLElement
  show(state: PageState): void
}

/** Makes the view. */
export function createMapView(emit: (event: PageEvent) => void): MapView {
  const filter = h('input', {
    id: 'map-filter',
    type: 'search',
    placeholder: 'Filter services, hosts, addresses',
    'aria-label': 'Filter the map',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => emit({ kind: 'filtered', filter: filter.value }),
  })
  const count = h('p', { class: 'quiet', role: 'status' })
  const body = h('div', { class: 'map-body' })
  const head = h('div', { class: 'map-head' }, h('h1', {}, 'The cluster'), count, filter)
  const element = h('section', { class: 'view map-view', 'aria-label': 'Map' }, head, body)
  const openObject = (ref: ObjectRef): void => emit({ kind: 'object-wanted', ref })
  let drawn: readonly unknown[] = []
  return {
    element,
    show: ({ summary, filter: wanted, shown, findings, problems }) => {
      if (filter.value !== wanted) filter.value = wanted
      const next = [summary, wanted, shown, findings]
      if (next.every((value, at) => value === drawn[at]) && drawn.length > 0) return
      drawn = next
      if (summary === undefined) {
        body.replaceChildren(h('p', { class: 'waiting' }, 'Reading the objects …'))
        return
      }
      const rows = mapRows(summary, wanted, shown)
      const total = summary.services.length
      count.textContent =
        rows.found === total ? plural(total, 'Service') : `${rows.found} of ${plural(total, 'Service')}`
      const about = rowsByObject(findingRows(findings ?? [], problems ?? []))
      const draw = (service: MapService): HTMLElement =>
        drawService(service, about.get(printRef(service.ref)) ?? [], openObject)
      body.replaceChildren(...drawRows(rows, total, draw, () => emit({ kind: 'more-wanted' })))
    },
  }
}

function drawRows(
  { groups, found, left }: MapRows,
  total: number,
  draw: (service: MapService) => HTMLElement,
  showMore: () => void,
): readonly HTMLElement[] {
  if (total === 0) return [drawEmpty()]
  if (found === 0) return [h('p', { class: 'waiting' }, 'No Service fits the filter.')]
  const sections = groups.map(({ namespace, services }) =>
    h(
      'section',
      { class: 'namespace', 'aria-label': `Namespace ${namespace}` },
      h('h2', {}, namespace),
      h('ul', { class: 'rows' }, ...services.map(draw)),
    ),
  )
  if (left === 0) return sections
  return [...sections, h('button', { type: 'button', class: 'more', onclick: showMore }, `Show more (${left} left)`)]
}

function drawEmpty(): HTMLElement {
  return h(
    'div',
    { class: 'empty' },
    h('h2', {}, 'No Services here'),
    h('p', {}, 'The input holds no Service, so there is nothing to draw. Findings may say why.'),
  )
}

function drawService(service: MapService, found: readonly FindingRow[], open: (ref: ObjectRef) => void): HTMLElement {
  const { ref, type, address, ports, ways, endpoints } = service
  const hasWays = ways.length > 0
  return h(
    'li',
    { class: hasWays ? 'row' : 'row has-no-ways' },
    h(
      'div',
      { class: 'ways' },
      ...ways.slice(0, 4).map(drawWay),
      ways.length > 4 && h('span', { class: 'quiet' }, `and ${ways.length - 4} more`),
    ),
    h(
      'div',
      { class: 'service' },
      h(
        'p',
        { class: 'service-head' },
        h(
          'button',
          {
            type: 'button',
            class: 'service-name',
            onclick: () => open(ref),
            'aria-label': `Show Service ${ref.namespace}/${ref.name}`,
          },
          ref.name,
        ),
        h('span', { class: 'tag' }, type),
        drawCount(found, ref, open),
      ),
      h('p', { class: 'mono quiet' }, [address, ports.join(', ')].filter(Boolean).join(' · ')),
      h('p', { class: 'asks' }, ...asks(service)),
    ),
    drawEndpoints(endpoints, type),
  )
}

function drawCount(
  found: readonly FindingRow[],
  ref: ObjectRef,
  open: (ref: ObjectRef) => void,
): HTMLElement | undefined {
  const counted = found.filter(({ suppression }) => suppression === undefined)
  const [worst] = counted
  if (worst === undefined) return undefined
  const text = plural(counted.length, 'finding')
  const label = `${text} about ${printRef(ref)}`
  return h(
    'button',
    { type: 'button', class: `service-findings is-${worst.severity}`, 'aria-label': label, onclick: () => open(ref) },
    text,
  )
}

function drawWay({ host, path, url, isCanary }: MapWay): HTMLElement {
  const href = printAddress({ view: 'path', card: '', question: { kind: 'url', method: 'GET', url, headers: [] } })
  return h(
    'a',
    { class: 'way', href, title: `Trace GET ${url}` },
    h('span', { class: 'way-host' }, host === '' ? 'any host' : host),
    h('span', { class: 'way-path' }, path),
    isCanary && h('span', { class: 'way-tag' }, 'canary'),
  )
}

function asks({ ref, address, type, firstPort }: MapService): readonly HTMLElement[] {
  const name = `${ref.name}.${ref.namespace}.svc.cluster.local`
  const nameHref = printAddress({ view: 'path', card: '', question: { kind: 'name', name, type: 'A', client: '' } })
  const links = [h('a', { href: nameHref, 'aria-label': `Trace the name of ${ref.name}` }, 'name')]
  if (address === 'headless' || type === 'ExternalName' || firstPort === undefined) return links
  const to = `service/${ref.namespace}/${ref.name}`
  const question = { kind: 'connection', from: '192.0.2.99', to, protocol: '', node: '' } as const
  const href = printAddress({ view: 'path', card: '', question })
  return [...links, h('a', { href, 'aria-label': `Trace a connection to ${ref.name}` }, 'connection')]
}

const mostDots = 24

function drawEndpoints(endpoints: readonly MapEndpoint[], type: string): HTMLElement {
  if (type === 'ExternalName')
    return h('div', { class: 'endpoints is-elsewhere' }, h('p', { class: 'quiet' }, 'elsewhere'))
  if (endpoints.length === 0) return h('div', { class: 'endpoints is-empty' }, h('p', {}, 'no endpoints'))
  const ready = endpoints.filter(({ isReady }) => isReady).length
  const text = ready === endpoints.length ? `${ready} ready` : `${ready} of ${endpoints.length} ready`
  return h(
    'div',
    { class: ready === 0 ? 'endpoints is-empty' : 'endpoints' },
    h('div', { class: 'dots', 'aria-hidden': 'true' }, ...endpoints.slice(0, mostDots).map(drawDot)),
    h('p', {}, text),
  )
}

function drawDot({ address, pod, node, isReady }: MapEndpoint): HTMLElement {
  const title = [pod, address, node, isReady ? 'ready' : 'not ready'].filter(Boolean).join(' · ')
  return h('span', { class: isReady ? 'dot' : 'dot is-unready', title })
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
