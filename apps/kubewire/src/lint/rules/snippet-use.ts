// Snippets are raw configuration: whoever may write the Ingress may run what nginx can, with the controller's rights
// (CVE-2021-25742); they are off by default since ingress-nginx 1.9.

import { sortedEntries, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const snippetUse: LintRule = {
  id: 'snippet-use',
  severity: 'warning',
  summary: 'an Ingress brings raw nginx configuration',
  docs: 'A snippet is raw nginx configuration and acts with the rights of the controller, which may read every Secret. It is refused unless the ConfigMap has `allow-snippet-annotations: "true"`. Most snippets have an annotation of their own by now.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop, annotations: {nginx.ingress.kubernetes.io/server-snippet: "return 200;"}}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea, port: {number: 80}}}}]}
`,
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
