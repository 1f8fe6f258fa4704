// Requests: from outside, through the load balancer's address, to the nginx that our configuration drives.

import type { Ingress } from '@kubewire/kube-model'
import { demoNetwork } from '../plan.ts'
import type { DemoWorld } from '../world.ts'
import { answeringEndpoints, type Check, eventually, programCheck } from './check.ts'

/** A request for a host at the ingress controller's outside address, as `curl` words. */
export function curlHost(url: string, ...more: readonly string[]): readonly [string, ...string[]] {
  const { hostname, protocol } = new URL(url.replaceAll(/\[1-[0-9]+\]/g, ''))
  const resolve = `${hostname}:${protocol === 'https:' ? 443 : 80}:${demoNetwork.ingressAddress}`
  return ['curl', '-sS', '--max-time', '10', '--resolve', resolve, ...more, url]
}

/** The certificates that the demo made. */
function certificatePath(world: DemoWorld): string {
  return `${world.plan.stateFolder}/demo.crt`
}

// `-k` everywhere but in the check of the certificate itself: it is about who serves, not about trust.
const statusAndPlace = ['-k', '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}'] as const

/** The table. */
export const ingressChecks: readonly Check[] = [
  {
    name: 'HTTPS is served with the certificate of the Secret',
    isInTour: true,
    expected: /^tea at 10\.244\.[12]\.1[12]:8080 got GET \/ host shop\.example\.org/,
    asked: (world) =>
      `[outside] ${curlHost('https://shop.example.org/', '--cacert', certificatePath(world)).join(' ')}`,
    ask: async (world) => {
      const command = curlHost('https://shop.example.org/', '--cacert', certificatePath(world))
      const { stdout, stderr } = await world.run('outside', command)
      return stdout.trim() || stderr.trim()
    },
  },
  programCheck(
    'HTTP is sent to HTTPS',
    'outside',
    curlHost('http://shop.example.org/cup', ...statusAndPlace),
    /^308 https:\/\/shop\.example\.org(?::[0-9]+)?\/cup$/,
    { isInTour: true },
  ),
  programCheck(
    'a longer path has its own Service',
    'outside',
    curlHost('https://shop.example.org/coffee/black', '-k'),
    /^coffee at \S+ got GET \/coffee\/black /,
  ),
  programCheck(
    'a path that only looks longer has not',
    'outside',
    curlHost('https://shop.example.org/coffeehouse', '-k'),
    /^tea at \S+ got GET \/coffeehouse /,
  ),
  programCheck(
    'requests are spread over all endpoints',
    'outside',
    curlHost('https://shop.example.org/[1-30]', '-k'),
    '10.244.1.11:8080\n10.244.1.12:8080\n10.244.2.11:8080',
    answeringEndpoints,
  ),
  programCheck(
    'and over the endpoints of both families of a dual-stack Service',
    'outside',
    curlHost('https://shop.example.org/coffee/[1-60]', '-k'),
    '10.244.1.21:8080\n10.244.2.21:8080\n[fd00:10:244:1::21]:8080\n[fd00:10:244:2::21]:8080',
    { ...answeringEndpoints, needsNode: true, needsIpv6: true },
  ),
  programCheck(
    'a path is rewritten',
    'outside',
    curlHost('http://api.example.org/v1/orders/7?all=1'),
    /^orders at 10\.244\.1\.31:8080 got GET \/orders\/7\?all=1 host api\.example\.org/,
    { isInTour: true },
  ),
  programCheck(
    'the canary header chooses the coming version',
    'outside',
    curlHost('https://shop.example.org/', '-k', '-H', 'X-Preview: always'),
    /^tea-next at 10\.244\.1\.19:8080 /,
    { isInTour: true },
  ),
  programCheck(
    'and never does when it says never',
    'outside',
    curlHost('https://shop.example.org/', '-k', '-H', 'X-Preview: never'),
    /^tea at /,
  ),
  programCheck(
    'an address that moved says where',
    'outside',
    curlHost('http://old.example.org/', ...statusAndPlace),
    '301 https://shop.example.org/',
  ),
  programCheck(
    'a host that nobody serves is 404',
    'outside',
    curlHost('http://nobody.example.org/', ...statusAndPlace),
    '404',
  ),
  programCheck(
    'a name without a certificate gets the stand-in',
    'outside',
    curlHost('https://nobody.example.org/', '-k', '-v', '-o', '/dev/null', '--stderr', '-'),
    'CN=Kubernetes Ingress Controller Fake Certificate',
    { digest: (output) => /subject:.*?(CN\s*=[^;\n]*)/.exec(output)?.[1]?.replace(/\s*=\s*/, '=') ?? output },
  ),
  {
    name: 'an Ingress says where it is served',
    needsNode: true,
    expected: /^203\.0\.113\.10 after /,
    asked: () => 'GET ingress front: status.loadBalancer.ingress',
    ask: async (world) => {
      const path = '/apis/networking.k8s.io/v1/namespaces/shop/ingresses/front'
      const ask = async (): Promise<string> => {
        const { status } = await world.cluster.request<Ingress>({ method: 'GET', path })
        return status?.loadBalancer?.ingress?.map(({ ip = '', hostname = '' }) => ip || hostname).join(' ') ?? ''
      }
      // The first to lead writes it; a controller that starts has to become the leader.
      return eventually(ask, (answer) => answer !== '', 10_000)
    },
  },
]
