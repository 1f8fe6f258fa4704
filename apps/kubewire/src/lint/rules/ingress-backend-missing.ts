// An Ingress path that leads to a Service or port that does not exist: the answer is 503.

import { type ClusterSnapshot, type IngressBackend, sortedObjects } from '@kubewire/kube-model'
import { findServicePort } from '@kubewire/nginx-gen'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const ingressBackendMissing: LintRule = {
  id: 'ingress-backend-missing',
  severity: 'error',
  summary: 'an Ingress leads to a Service or a port that is not there',
  docs: "The path is served, with 503, until a Service of that name with that port is there: in the namespace of the Ingress, by the port's name or number, or its `targetPort` as the controller has it. An ExternalName needs no ports when the Ingress gives a number.",
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea, port: {number: 80}}}}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.ingresses).flatMap((ingress): LintFinding[] => {
      const namespace = ingress.metadata?.namespace
      const places: [string, IngressBackend | undefined][] = [['spec.defaultBackend', ingress.spec?.defaultBackend]]
      for (const [r, rule] of (ingress.spec?.rules ?? []).entries()) {
        for (const [p, path] of (rule.http?.paths ?? []).entries()) {
          places.push([`spec.rules[${r}].http.paths[${p}].backend.service`, path.backend])
        }
      }
      return places.flatMap(([path, backend]) => {
        const missing = whatIsMissing(snapshot, namespace, backend)
        return missing === undefined ? [] : [finding(ingress, path, `${missing}: requests are answered 503`)]
      })
    }),
}

function whatIsMissing(
  snapshot: ClusterSnapshot,
  namespace: string | undefined,
  backend: IngressBackend | undefined,
): string | undefined {
  const wanted = backend?.service
  if (wanted?.name === undefined) return undefined
  const service = snapshot.services.get(wanted.name, namespace)
  if (service === undefined) return `there is no Service ${wanted.name} in namespace ${namespace}`
  const { name, number } = wanted.port ?? {}
  if (name === undefined && number === undefined) return `the backend names no port of Service ${wanted.name}`
  // ExternalName: a number that no port has is the port to connect to (ingress-nginx externalNamePorts).
  if (service.spec?.type === 'ExternalName' && number !== undefined) return undefined
  if (findServicePort(service, String(name ?? number)) !== undefined) return undefined
  return `Service ${wanted.name} has no port ${name ?? number}`
}
