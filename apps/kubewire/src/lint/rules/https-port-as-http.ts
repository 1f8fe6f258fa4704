// A path that leads to the HTTPS port of a Service while nginx speaks plain HTTP to it.

import { asPortNumber, sortedObjects } from '@kubewire/kube-model'
import { annotationOf } from '../ingress-annotations.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const httpsPortAsHttp: LintRule = {
  id: 'https-port-as-http',
  severity: 'warning',
  summary: 'an Ingress speaks plain HTTP to a port that looks like HTTPS',
  docs: 'Backends are spoken to in plain HTTP unless `backend-protocol` says HTTPS or GRPCS; a TLS server answers "400 The plain HTTP request was sent to HTTPS port" or resets the connection.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {ports: [{name: https, port: 443}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea, port: {number: 443}}}}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.ingresses)
      .filter(
        (ingress) =>
          annotationOf(ingress, 'backend-protocol') === undefined &&
          annotationOf(ingress, 'ssl-passthrough') !== 'true',
      )
      .flatMap(({ spec, ...ingress }) =>
        (spec?.rules ?? []).flatMap(({ http }, r) =>
          (http?.paths ?? []).flatMap(({ backend }, p): LintFinding[] => {
            const wanted = backend?.service
            const service = snapshot.services.get(wanted?.name ?? '', ingress.metadata?.namespace)
            const port = service?.spec?.ports?.find(
              ({ name, port: number }) => name === wanted?.port?.name || number === wanted?.port?.number,
            )
            const isHttps =
              port !== undefined && (port.name === 'https' || port.port === 443) && asPortNumber(port.targetPort) !== 80
            return isHttps
              ? [
                  finding(
                    ingress,
                    `spec.rules[${r}].http.paths[${p}].backend.service.port`,
                    `port ${port.port} of Service ${wanted?.name} gets plain HTTP: no backend-protocol says otherwise`,
                  ),
                ]
              : []
          }),
        ),
      ),
}
