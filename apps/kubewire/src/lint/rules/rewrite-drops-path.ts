// rewrite-target without a group, or a path that lacks the group it names: whatever is asked below the path, the backend gets one and the same path.

import { sortedObjects } from '@kubewire/kube-model'
import { exampleIngress, exampleService } from '../example-objects.ts'
import { annotationOf, annotationPath, isCanary } from '../ingress-annotations.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { outcomeOf } from '../translation-of.ts'

/** The rule. */
export const rewriteDropsPath: LintRule = {
  id: 'rewrite-drops-path',
  severity: 'warning',
  summary: 'a rewrite sends every request below its path to one and the same path',
  docs: 'Since ingress-nginx 0.22 `rewrite-target` is the whole new path, not a new beginning. To keep the rest, catch it: path `/tea(/|$)(.*)` with `rewrite-target: /$2`.',
  example:
    exampleService('tea') +
    exampleIngress({
      annotations: 'nginx.ingress.kubernetes.io/rewrite-target: /',
      rules: [['shop.example.org', '/tea', 'tea']],
    }),
  check: (snapshot) =>
    sortedObjects(snapshot.ingresses)
      .filter((ingress) => (annotationOf(ingress, 'rewrite-target') ?? '') !== '' && !isCanary(ingress))
      .flatMap((ingress) => {
        const hasTls = (ingress.spec?.tls ?? []).length > 0
        const found = (ingress.spec?.rules ?? []).flatMap(({ host = 'unknown.example.org', http }) =>
          (http?.paths ?? []).flatMap(({ path = '/', pathType }): LintFinding[] => {
            const [plain = ''] = /^[\w/.-]*/.exec(path) ?? []
            // A group of words goes on with the name: requests below its beginning are somebody else's.
            if (/^\(\w/.test(path.slice(plain.length))) return []
            const base = plain.replace(/\/$/, '')
            const [one, other] = [`${base}/a`, `${base}/b`].map((target) => {
              const request = {
                scheme: hasTls ? 'https' : 'http',
                host: host.replace(/^\*/, 'any'),
                path: target,
              } as const
              const outcome = outcomeOf(snapshot, request)
              return outcome.kind === 'proxy' ? outcome.path : target
            })
            if (pathType === 'Exact' || one !== other || one === undefined) return []
            return [
              finding(
                ingress,
                annotationPath('rewrite-target'),
                `${host}${base}/a and ${base}/b both reach the backend as ${one}`,
              ),
            ]
          }),
        )
        return found.slice(0, 1)
      }),
}
