// Snippets are raw configuration: whoever may write the Ingress may run what nginx can, with the controller's rights
// (CVE-2021-25742); they are off by default since ingress-nginx 1.9.

import { sortedEntries, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const snippetUse: LintRule = {
  id: 'snippet-use',
  severity: 'warning',
  summary: 'an Ingress brings raw nginx configuration',
  check: (snapshot) =>
    sortedObjects(snapshot.ingresses).flatMap((ingress) =>
      sortedEntries(ingress.metadata?.annotations)
        .filter(([key]) => /\/(?:.*-)?snippet$/.test(key))
        .map(([key]) =>
          finding(
            ingress,
            `metadata.annotations["${key}"]`,
            'raw configuration acts with the rights of the controller; without allow-snippet-annotations it is refused',
          ),
        ),
    ),
}
