// `kubewire ingress backends`: what the balancer knows: endpoints, algorithm, affinity, canary: what
// `kubectl ingress-nginx backends` shows.

import { joinHostPort } from '@kubewire/kube-model'
import type { Backend, Model } from '@kubewire/nginx-gen'
import type { Command } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { printTable } from '../print/print-table.ts'
import { defineModelCommand } from './ingress-model-command.ts'

/** The command. */
export const command: Command = defineModelCommand({
  usage: '[NAME] -f FILE [flags]',
  takesWords: true,
  flags: {},
  text: (model, name) =>
    printTable(
      ['name', 'service', 'balancing', 'canary', 'endpoints'],
      backendsOf(model, name).map((backend) => [
        backend.name,
        backend.service === undefined ? '-' : `${backend.service.namespace}/${backend.service.name}:${backend.port}`,
        balancingOf(backend),
        canaryOf(backend),
        backend.endpoints.map(({ address, port }) => joinHostPort(address, port)).join(',') || 'none',
      ]),
    ),
  none: 'no backend',
  json: backendsOf,
})

function backendsOf({ backends }: Model, name: string | undefined): readonly Backend[] {
  const wanted = backends.filter((backend) => name === undefined || backend.name === name)
  if (wanted.length > 0 || name === undefined) return wanted
  throw new UsageError(`expected one of ${backends.map((one) => one.name).join(', ')}, found ${JSON.stringify(name)}`)
}

function balancingOf({ balancing, affinity }: Backend): string {
  const way = balancing.kind === 'hash' ? `hash of ${balancing.key}` : balancing.kind
  return affinity === undefined ? way : `${way}, cookie ${affinity.cookieName}`
}

function canaryOf({ canary, alternatives }: Backend): string {
  if (canary === undefined) return alternatives.length === 0 ? '-' : `has ${alternatives[0]}`
  const reasons = [
    ...(canary.header === undefined ? [] : [`header ${canary.header}`]),
    ...(canary.cookie === undefined ? [] : [`cookie ${canary.cookie}`]),
    ...(canary.weight === 0 ? [] : [`weight ${canary.weight} of ${canary.weightTotal}`]),
  ]
  return reasons.join(', ') || 'weight 0'
}
