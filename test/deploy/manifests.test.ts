// The manifests in `deploy/`: they parse, kustomizations list what is there, images copy what the build makes, and the
// rights are those of the resources that each daemon names in its sources.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseDockerfile } from '../../tools/parse-dockerfile.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Resource as the informer package names it → as RBAC does. */
const resourceNames: Readonly<Record<string, string>> = {
  Services: 'services',
  EndpointSlices: 'endpointslices',
  Namespaces: 'namespaces',
  Pods: 'pods',
  Nodes: 'nodes',
  Secrets: 'secrets',
  ConfigMaps: 'configmaps',
  Ingresses: 'ingresses',
  IngressClasses: 'ingressclasses',
  ServiceImports: 'serviceimports',
  ServiceCidrs: 'servicecidrs',
}

/** The program of each original's image: what Deployments that are already there name. */
const originalNames: Readonly<Record<string, string>> = {
  'coredns-ts': '/coredns',
  'kube-proxy-ts': '/usr/local/bin/kube-proxy',
  'ingress-ts': '/nginx-ingress-controller',
}

/** What only some want, and what says so itself. */
const chosenByHand: ReadonlySet<string> = new Set(['rbac-named-secrets.yaml'])

interface Role {
  readonly kind: string
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[]
}

describe.each(['coredns-ts', 'kube-proxy-ts', 'ingress-ts'])('deploy/%s', (daemon) => {
  const dir = join(root, 'deploy', daemon)
  const read = (file: string): string => readFileSync(join(dir, file), 'utf8')
  const { resources } = parse(read('kustomization.yaml')) as { resources: string[] }

  it('the kustomization lists every manifest, and all of them parse', () => {
    const manifests = readdirSync(dir).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    expect([...resources].sort()).toEqual(manifests.filter((file) => !chosenByHand.has(file)).sort())
    for (const file of resources) expect(parseManifests(read(file), file).problems, file).toEqual([])
  })

  it('the image holds the bundle, and starts it under the name of the original', () => {
    const { steps, facts } = parseDockerfile(read('Dockerfile'))
    expect(steps).toContainEqual({ kind: 'copy', from: 'build', source: '/out/', target: `/opt/${daemon}/` })
    const started = facts.cmd[0] ?? facts.entrypoint[0]
    const links = steps.map((step) => (step.kind === 'run' ? step.command : '')).join('\n')
    expect(links).toContain(`ln -s /opt/${daemon}/main.js ${started}`)
    expect(started).toBe(originalNames[daemon])
  })

  it('it may list exactly the resources that its sources name', () => {
    const watched = new Set<string>()
    for (const path of readdirSync(join(root, 'apps', daemon, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue
      const text = readFileSync(join(root, 'apps', daemon, 'src', path), 'utf8')
      const imports = [...text.matchAll(/import \{([^}]*)\} from '@kubewire\/informer\/resources'/g)]
      for (const [, names = ''] of imports)
        for (const name of names.split(',')) watched.add(resourceNames[name.trim()] ?? '')
    }
    watched.delete('')
    const roles: Role[] = []
    for (const text of read('rbac.yaml').split(/^---$/m)) roles.push(parse(text) as Role)
    const granted = roles
      .filter(({ kind }) => kind === 'ClusterRole')
      .flatMap(({ rules }) => rules ?? [])
      .filter(({ verbs }) => verbs.includes('list'))
      .flatMap((rule) => rule.resources)
    expect(granted.sort()).toEqual([...watched].sort())
  })

  it('its README says how to try it, switch and go back', () => {
    expect(existsSync(join(dir, 'README.md'))).toBe(true)
    expect(read('README.md')).toMatch(/Look first[\s\S]*Go back/)
  })
})
