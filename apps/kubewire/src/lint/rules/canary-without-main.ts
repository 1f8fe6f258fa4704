// A canary that stands beside nothing: its paths are served by nobody (ingress-nginx: a canary is an alternative of an
// ordinary path, never a path).

import { compareText, printRef } from '@kubewire/kube-model'
import { canaryOfATenth, exampleIngress, exampleService } from '../example-objects.ts'
import type { LintRule } from '../lint-rule.ts'
import { translationOf } from '../translation-of.ts'

/** The rule. */
export const canaryWithoutMain: LintRule = {
  id: 'canary-without-main',
  severity: 'error',
  summary: 'a canary has no ordinary Ingress that it is the alternative of',
  docs: 'A canary Ingress needs an ordinary one with the same host, path and path type, and another Service. A Service port that a canary named first makes no path for younger ordinary Ingresses either: give the canary a Service of its own.',
  example:
    exampleService('tea-next') +
    exampleIngress({
      name: 'front-canary',
      annotations: canaryOfATenth,
      rules: [['shop.example.org', '/', 'tea-next']],
    }),
  check: (snapshot) =>
    translationOf(snapshot)
      .problems.filter(({ code }) => code === 'NGX_CANARY')
      .map(({ object, path, message, fallback }) => ({ object, path, message: `${message}; ${fallback}` }))
      .sort((a, b) => compareText(printRef(a.object), printRef(b.object))),
}
