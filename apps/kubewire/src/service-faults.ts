// What an API server refuses in the ports of a Service although every value is of its type. The object is read all the
// same: what it would do is a matter for people.
// Source: Kubernetes pkg/apis/core/validation (ValidateService).

import { type Problem, quoteFound, refOf, type Service, withDefaultNamespace } from '@kubewire/kube-model'
import type { ManifestObject } from '@kubewire/kube-model/manifest'

/** A problem for each port that the API server would refuse. */
export function serviceFaults({ object, position }: ManifestObject): readonly Problem[] {
  if (object.kind !== 'Service') return []
  const { ports = [] } = (object as Service).spec ?? {}
  const names = new Set<string>()
  const numbers = new Set<string>()
  return ports.flatMap(({ name = '', port, protocol = 'TCP', targetPort, nodePort }, at) => {
    const faults: [field: string, message: string][] = []
    if (name === '' && ports.length > 1) faults.push(['name', 'expected a name for each of several ports, found none'])
    if (name !== '' && names.has(name))
      faults.push(['name', `expected each name once, found ${quoteFound(name)} again`])
    if (numbers.has(`${protocol} ${port}`))
      faults.push(['port', `expected each port once, found ${protocol} ${port} again`])
    names.add(name)
    numbers.add(`${protocol} ${port}`)
    for (const [field, number] of Object.entries({ port, targetPort, nodePort })) {
      const isNone = typeof number === 'number' && (number > 65_535 || number < (field === 'nodePort' ? 0 : 1))
      if (isNone) faults.push([field, `expected a port from 1 to 65535, found ${number}`])
    }
    return faults.map(([field, message]) => ({
      code: 'CLI_SERVICE_PORT',
      severity: 'error',
      object: refOf(withDefaultNamespace(object)),
      path: `spec.ports[${at}].${field}`,
      message,
      fallback: 'no API server takes this Service',
      position,
    }))
  })
}
