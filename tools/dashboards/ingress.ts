// The ingress at a glance: requests, errors, latency, and what the original's dashboards do not show: what is set
// aside, and why nginx was reloaded.

import type { Dashboard } from './dashboard.ts'

const prefix = 'nginx_ingress_controller_'
const of = (name: string, more = ''): string => `${prefix}${name}{controller_class=~"$class"${more}}`
const requests = (more = ''): string => `rate(${of('requests', `,ingress=~"$ingress"${more}`)}[2m])`

/** The dashboard of ingress-ts; the dashboards of ingress-nginx work beside it. */
export const ingressDashboard: Dashboard = {
  uid: 'kubewire-ingress',
  title: 'Kubewire / Ingress',
  variables: {
    class: `label_values(${prefix}build_info, controller_class)`,
    ingress: `label_values(${prefix}requests{controller_class=~"$class"}, ingress)`,
  },
  rows: [
    [
      { title: 'Requests', unit: 'reqps', isStat: true, queries: { [`sum(${requests()})`]: '' } },
      {
        title: 'Answered without a server error',
        unit: 'percentunit',
        isStat: true,
        queries: { [`sum(${requests(',status!~"5.."')}) / sum(${requests()})`]: '' },
      },
      {
        title: 'Set aside',
        unit: 'short',
        isStat: true,
        queries: { [`sum(max by (namespace, ingress) (${of('quarantined_ingress')})) or vector(0)`]: '' },
      },
      {
        title: 'Last configuration accepted',
        unit: 'dateTimeFromNow',
        isStat: true,
        queries: { [`min(${of('config_last_reload_successful_timestamp_seconds')}) * 1000`]: '' },
      },
    ],
    [
      {
        title: 'Requests by Ingress',
        unit: 'reqps',
        queries: { [`sum by (namespace, ingress) (${requests()})`]: '{{namespace}}/{{ingress}}' },
      },
      {
        title: 'Server errors by Ingress',
        unit: 'reqps',
        queries: {
          [`sum by (namespace, ingress) (${requests(',status=~"5.."')})`]: '{{namespace}}/{{ingress}}',
        },
      },
    ],
    [
      {
        title: 'Latency, p99',
        unit: 's',
        queries: {
          [`histogram_quantile(0.99, sum by (ingress, le) (rate(${of('request_duration_seconds_bucket', ',ingress=~"$ingress"')}[2m])))`]:
            '{{ingress}}',
        },
      },
      {
        title: 'Reloads by reason',
        unit: 'short',
        queries: { [`sum by (reason) (increase(${of('reload_reasons')}[10m]))`]: '{{reason}}' },
      },
    ],
    [
      {
        title: 'Connections',
        unit: 'short',
        queries: { [`sum by (state) (${of('nginx_process_connections')})`]: '{{state}}' },
      },
      {
        title: 'Memory of nginx',
        unit: 'bytes',
        queries: { [of('nginx_process_resident_memory_bytes')]: '{{controller_pod}}' },
      },
      {
        title: 'Certificates that end first',
        unit: 'dateTimeFromNow',
        queries: {
          [`bottomk(10, min by (host) (${prefix}ssl_expire_time_seconds{host!=""})) * 1000`]: '{{host}}',
        },
      },
    ],
  ],
}
