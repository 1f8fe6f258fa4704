// All three daemons on a large cluster, beside those originals that can be built: time until everything is served, memory,
// and one changed endpoint. Root; `pnpm bench:large [coredns-ts coredns kube-proxy-ts … ingress-ts] [SERVICESxENDPOINTSxINGRESSES]`.

import { type LargeCosts, measureLarge } from './large/measure.ts'
import type { ClusterSize } from './large/objects.ts'
import { subjects } from './large/subjects.ts'

const words = process.argv.slice(2).filter((word) => word !== '--')
const chosen = words.filter((word) => word in subjects)
const [size] = words.flatMap(sizeOf)
const unknown = words.find((word) => !(word in subjects) && sizeOf(word).length === 0)
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(subjects).join(', ')}`)

const rows: Row[] = []
for (const word of chosen.length > 0 ? chosen : ['coredns-ts', 'kube-proxy-ts', 'ingress-ts']) {
  const subject = subjects[word]
  if (subject === undefined) continue
  rows.push(rowOf(await measureLarge(subject, size ?? { services: 10_000, endpoints: 10, ingresses: 5000 }, 10)))
}
console.table(rows)

type Row = ReturnType<typeof rowOf>

function sizeOf(word: string): ClusterSize[] {
  const [, services, endpoints, ingresses] = /^([0-9]+)x([0-9]+)x([0-9]+)$/.exec(word) ?? []
  if (services === undefined) return []
  return [{ services: Number(services), endpoints: Number(endpoints), ingresses: Number(ingresses) }]
}

function rowOf(costs: LargeCosts) {
  return {
    program: costs.name,
    'all served after, s': costs.readySeconds.toFixed(1),
    'CPU until then, s': costs.readyCpuSeconds.toFixed(1),
    'resident, MiB': costs.residentMiB.toFixed(0),
    'a change after, s': costs.changeSeconds.toFixed(3),
    'its CPU, s': costs.changeCpuSeconds.toFixed(3),
  }
}
