// What does an extension of `ingress-ts` add to the configuration? The same module, without a cluster and without nginx.

import { snapshotOf } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { createExtension, printConfig, renderConfig, translateIngresses } from '@kubewire/nginx-gen'

const front = (name: string, team: string): string => `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop, annotations: { nginx.ingress.kubernetes.io/team: ${team} } }
spec:
  rules:
    - host: ${name}.example.org
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: tea, port: { number: 80 } } } }] }
`
const { objects } = parseManifests(`${front('tea', 'tea')}---${front('beer', 'beer')}`, 'shop.yaml')

const url = new URL('extension.mjs', `file://${process.cwd()}/`)
const module = (await import(url.href)) as { readonly default: unknown }
const { families = [], transform = (tree) => tree } = createExtension(module.default)
const { value: model, problems } = translateIngresses(snapshotOf(objects), {
  watchWithoutClass: true,
  extraFamilies: families,
})
for (const { code, path, message } of problems.filter(({ code }) => code.startsWith('NGX_ANNOTATION')))
  console.log(code, path, message)

const lines = printConfig(transform(renderConfig(model), model)).split('\n')
console.log(lines.filter((line) => /^#|X-Team|server_name \w+\.example/.test(line)).join('\n'))
