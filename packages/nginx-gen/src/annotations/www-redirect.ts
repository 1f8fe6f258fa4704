// from-to-www-redirect: a server for the other of `host` and `www.host` that only redirects.

import { defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag } from './values.ts'

const fromToWwwRedirect = defineAnnotation({
  names: ['from-to-www-redirect'],
  group: 'routing',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'refuse',
  fallback: 'false',
  summary: 'redirects the other of www and non-www to this host',
  tier: 1,
})

/** Whether the host wants it. */
export const wwwRedirect: Family<boolean> = defineFamily({
  name: 'www-redirect',
  annotations: [fromToWwwRedirect],
  resolve: (read) => read(fromToWwwRedirect) ?? false,
})
