// A host with TLS that answers over plain HTTP too, because its redirect is switched off.

import { sortedObjects } from '@kubewire/kube-model'
import { exampleIngress, exampleService } from '../example-objects.ts'
import { annotationOf, annotationPath } from '../ingress-annotations.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { outcomeOf, translationOf } from '../translation-of.ts'

/** The rule. */
export const plainHttpDespiteTls: LintRule = {
  id: 'plain-http-despite-tls',
  severity: 'warning',
  summary: 'a host with TLS is served over plain HTTP too',
  docs: 'With `ssl-redirect: "false"` whoever types the name without https sends cookies and forms in the clear. Leave the annotation out, unless a load balancer in front ends TLS and speaks HTTP to nginx.',
  example:
    exampleService('tea') +
    exampleIngress({
      annotations: 'nginx.ingress.kubernetes.io/ssl-redirect: "false", cert-manager.io/issuer: example',
      tls: '{hosts: [shop.example.org], secretName: shop-tls}',
      rules: [['shop.example.org', '/', 'tea']],
    }),
  check: (snapshot) =>
    sortedObjects(snapshot.ingresses)
      .filter((ingress) => annotationOf(ingress, 'ssl-redirect') === 'false')
      .flatMap((ingress) => {
        const { value: model } = translationOf(snapshot)
        return (ingress.spec?.rules ?? []).flatMap(({ host = '', http }): LintFinding[] => {
          const [first] = http?.paths ?? []
          if (first === undefined || !Object.hasOwn(model.tls.hosts, host)) return []
          const request = { scheme: 'http', host: host.replace(/^\*/, 'any'), path: first.path ?? '/' } as const
          const outcome = outcomeOf(snapshot, request)
          return outcome.kind === 'proxy'
            ? [finding(ingress, annotationPath('ssl-redirect'), `http://${host}${request.path} is served without TLS`)]
            : []
        })
      }),
}
