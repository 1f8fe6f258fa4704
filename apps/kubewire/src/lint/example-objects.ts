// Objects that the examples of several rules share, as YAML that readers can copy.

/** A Service of port 80 in Namespace `shop`, and the line that ends its document. */
export function exampleService(name: string, hasSelector = false): string {
  const selector = hasSelector ? `selector: {app: ${name}}, ` : ''
  return `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {${selector}ports: [{port: 80}]}
---
`
}

/** The annotations of a canary that gets a tenth. */
export const canaryOfATenth =
  'nginx.ingress.kubernetes.io/canary: "true", nginx.ingress.kubernetes.io/canary-weight: "10"'

/** What an example Ingress varies. */
export interface ExampleIngress {
  readonly name?: string
  /** Inside the braces. */
  readonly annotations?: string
  /** Inside the brackets. */
  readonly tls?: string
  /** Host, path and Service of each rule. */
  readonly rules: readonly (readonly [host: string, path: string, service: string])[]
}

/** An Ingress of class `nginx` in Namespace `shop`. */
export function exampleIngress({ name = 'front', annotations, tls, rules }: ExampleIngress): string {
  const metadata =
    annotations === undefined
      ? `metadata: {name: ${name}, namespace: shop}`
      : `metadata:\n  name: ${name}\n  namespace: shop\n  annotations: {${annotations}}`
  const lines = rules.map(
    ([host, path, service]) => `    - host: ${host}
      http: {paths: [{path: ${path}, pathType: Prefix, backend: {service: {name: ${service}, port: {number: 80}}}}]}
`,
  )
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
${metadata}
spec:
  ingressClassName: nginx
${tls === undefined ? '' : `  tls: [${tls}]\n`}  rules:
${lines.join('')}`
}
