// An Ingress that names no class where no class is the default: every controller leaves it alone.

import { type IngressClass, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const ingressOfNobody: LintRule = {
  id: 'ingress-of-nobody',
  severity: 'warning',
  summary: 'an Ingress names no class and no class is the default',
  docs: 'Controllers take Ingresses of their class. Without `spec.ingressClassName`, the annotation `kubernetes.io/ingress.class` or a default IngressClass nobody does, unless the controller runs with `--watch-ingress-without-class`.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec: {rules: [{host: shop.example.org}]}
`,
  check: (snapshot) =>
    [...snapshot.ingressClasses].some(isDefault)
      ? []
      : sortedObjects(snapshot.ingresses)
          .filter(
            ({ metadata, spec }) =>
              spec?.ingressClassName === undefined &&
              metadata?.annotations?.['kubernetes.io/ingress.class'] === undefined,
          )
          .map((ingress) =>
            finding(
              ingress,
              'spec.ingressClassName',
              'it names no class and none is the default: no controller serves it',
            ),
          ),
}

function isDefault({ metadata }: IngressClass): boolean {
  return metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
}
