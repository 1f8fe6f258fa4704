// The head of the page: whose cluster this is, how big, whether it is still followed, and the way to the findings.

import { findingRows, severities } from '../view/finding-rows.ts'
import type { PageState } from '../view/page-state.ts'
import { h, s } from './element.ts'

/** The head. */
export interface PageHead {
  readonly element: HTMLElement
  show(state: PageState): void
  /** Whether the server still answers. */
  showLive(isLive: boolean): void
}

/** Makes the head. */
export function createPageHead(): PageHead {
  const source = h('p', { class: 'source' })
  const counts = h('p', { class: 'counts' })
  const live = h('span', { class: 'live', role: 'status' })
  const map = h('a', { href: '#map', 'aria-keyshortcuts': 'm' }, 'Map')
  const badge = h('span', { class: 'badge' })
  const findings = h('a', { href: '#findings', 'aria-keyshortcuts': 'f' }, 'Findings', badge)
  const failure = h('p', { class: 'failure', role: 'alert', hidden: true })
  const element = h(
    'header',
    { class: 'head' },
    h(
      'div',
      { class: 'head-row' },
      h('a', { class: 'brand', href: '#map', 'aria-label': 'kubewire, to the map' }, drawMark(), 'kubewire'),
      h('div', { class: 'cluster' }, source, counts),
      h('nav', { 'aria-label': 'Views' }, map, findings),
      live,
    ),
    failure,
  )
  return {
    element,
    show: ({ view, summary, findings: found, problems, failure: why }) => {
      source.textContent = summary?.source ?? ''
      counts.textContent = summary?.counts.map(([kind, count]) => `${count} ${kind}`).join(' · ') ?? ''
      document.title = summary === undefined ? 'kubewire' : `${summary.source} · kubewire`
      setCurrent(map, view === 'map')
      setCurrent(findings, view === 'findings')
      const rows = found === undefined || problems === undefined ? [] : findingRows(found, problems)
      const counted = rows.filter(({ suppression, severity }) => suppression === undefined && severity !== 'note')
      badge.textContent = counted.length === 0 ? '' : String(counted.length)
      badge.className = `badge is-${counted[0]?.severity ?? severities[2]}`
      badge.hidden = counted.length === 0
      failure.hidden = why === undefined
      failure.textContent = why === undefined ? '' : `What is shown may be old: ${why}`
    },
    showLive: (isLive) => {
      live.className = isLive ? 'live is-live' : 'live is-lost'
      live.textContent = isLive ? 'live' : 'not connected'
    },
  }
}

function setCurrent(link: HTMLElement, isCurrent: boolean): void {
  if (isCurrent) link.setAttribute('aria-current', 'page')
  else link.removeAttribute('aria-current')
}

function drawMark(): SVGElement {
  return s(
    'svg',
    { class: 'mark', viewBox: '0 0 32 20', width: 32, height: 20, 'aria-hidden': 'true' },
    s('path', { d: 'M5 14C13 14 12 6 27 6', class: 'mark-wire' }),
    s('circle', { cx: 5, cy: 14, r: 4, class: 'mark-node' }),
    s('circle', { cx: 27, cy: 6, r: 4, class: 'mark-node' }),
  )
}
