// What a dashboard is to us, and its printing as Grafana's JSON (schema 39). Queries and titles are written in
// `dns.ts`, `proxy.ts` and `ingress.ts`; places, identifiers and the data source come from here.

/** One panel: a title, what its numbers are, and a line per query. */
export interface Panel {
  readonly title: string
  /** Grafana's name of the unit: `reqps`, `s`, `percentunit`, `short`, `bytes`, `dateTimeFromNow`. */
  readonly unit: string
  /** Query → how a series is named (Grafana's `{{label}}`). */
  readonly queries: Readonly<Record<string, string>>
  /** One number instead of lines. */
  readonly isStat?: boolean
}

/** A dashboard: rows of panels; the panels of a row share its width. */
export interface Dashboard {
  readonly uid: string
  readonly title: string
  /** Variable name → query of its values. */
  readonly variables: Readonly<Record<string, string>>
  readonly rows: readonly (readonly Panel[])[]
}

/** The width that Grafana gives to one row. */
const fullWidth = 24
const rowHeight = 8
const statHeight = 4

/** The JSON text of a dashboard, ending with a newline. */
export function printDashboard({ uid, title, variables, rows }: Dashboard): string {
  const panels: object[] = []
  let top = 0
  for (const row of rows) {
    const height = row.every((panel) => panel.isStat) ? statHeight : rowHeight
    const width = Math.floor(fullWidth / row.length)
    row.forEach((panel, at) => {
      panels.push(printPanel(panel, panels.length + 1, { x: at * width, y: top, w: width, h: height }))
    })
    top += height
  }
  const list = Object.entries(variables).map(([name, query]) => ({
    ...{ name, type: 'query', datasource, query, refresh: 2, includeAll: true, multi: true, allValue: '.*' },
    current: { text: ['All'], value: ['$__all'] },
  }))
  const source = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }
  const dashboard = {
    ...{ uid, title, tags: ['kubewire'], schemaVersion: 39, editable: true, refresh: '30s', timezone: '' },
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [source, ...list] },
    panels,
  }
  return `${JSON.stringify(dashboard, undefined, 1)}\n`
}

const datasource = { type: 'prometheus', uid: `\${datasource}` }

function printPanel({ title, unit, queries, isStat = false }: Panel, id: number, gridPos: object): object {
  const targets = Object.entries(queries).map(([expr, legendFormat], at) => ({
    ...{ refId: String.fromCharCode(65 + at), expr, legendFormat, datasource },
  }))
  return {
    ...{ id, title, type: isStat ? 'stat' : 'timeseries', gridPos, datasource, targets },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: isStat ? {} : { tooltip: { mode: 'multi', sort: 'desc' }, legend: { displayMode: 'list' } },
  }
}
