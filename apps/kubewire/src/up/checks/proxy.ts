// Addresses: connections and datagrams through the rules of a real kernel.

import { demoNetwork } from '../plan.ts'
import { answeringEndpoints, type Check, endpointsOf, programCheck } from './check.ts'

// Forty connections miss one of three endpoints once in four million runs.
const many = '[1-40]'

function curl(url: string, ...more: readonly string[]): readonly [string, ...string[]] {
  return ['curl', '-sS', '-g', '--max-time', '10', '-H', 'Connection: close', ...more, url]
}

// curl expands `[1-40]` only without -g, and an IPv6 address needs -g.
function curlMany(url: string): readonly [string, ...string[]] {
  return ['curl', '-sS', '--max-time', '10', '-H', 'Connection: close', url + many]
}

const node = '192.0.2.11'

/** The table. */
export const proxyChecks: readonly Check[] = [
  programCheck(
    'the API server answers at its Service address',
    'client',
    ['curl', '-sk', '--max-time', '10', 'https://10.96.0.1/healthz'],
    'ok',
  ),
  programCheck(
    'a cluster address reaches every ready endpoint',
    'client',
    curlMany('http://10.96.10.1/'),
    '10.244.1.11:8080\n10.244.1.12:8080\n10.244.2.11:8080',
    { ...answeringEndpoints, isInTour: true },
  ),
  programCheck(
    'a pod finds a Service by its short name',
    'client',
    curl('http://tea/hello'),
    /^tea at .* got GET \/hello/,
    {
      isInTour: true,
    },
  ),
  programCheck(
    'endpoints that are not ready or on their way out get nothing',
    'client',
    curlMany('http://10.96.10.4/'),
    '10.244.1.31:8080',
    answeringEndpoints,
  ),
  {
    name: 'datagrams reach every endpoint of a UDP Service',
    expected: '10.244.1.51:5005\n10.244.1.52:5005',
    asked: () => '[client] 24 datagrams to 10.96.10.6 port 5005',
    ask: async (world) =>
      endpointsOf((await world.runSelf('client', ['__udp-ask', '10.96.10.6', '5005', '24'])).stdout),
  },
  programCheck(
    'TCP on the same port number is another port of the Service',
    'client',
    curl('http://10.96.10.6:5005/'),
    /^events at 10\.244\.1\.5[12]:5005 got GET/,
  ),
  programCheck(
    'a Service without endpoints refuses at once',
    'client',
    curl('http://10.96.10.7/', '-o', '/dev/null', '-w', 'exit %{exitcode} in %{time_total} s'),
    /^exit 7 in 0\./,
    { isInTour: true },
  ),
  programCheck(
    'a client keeps its endpoint when the Service asks for it',
    'client',
    curlMany('http://10.96.10.5/'),
    /^10\.244\.[12]\.4[12]:8080$/,
    answeringEndpoints,
  ),
  programCheck(
    'an IPv6 cluster address reaches an IPv6 endpoint',
    'client',
    curl('http://[fd00:10:96::1003]/'),
    /^coffee at \[fd00:10:244:[12]::21\]:8080 /,
    { needsIpv6: true },
  ),
  programCheck(
    'a node port reaches every endpoint from outside',
    'outside',
    curlMany(`http://${node}:30081/`),
    '10.244.1.21:8080\n10.244.2.21:8080',
    { ...answeringEndpoints, isInTour: true },
  ),
  programCheck(
    'and hides where the client came from',
    'outside',
    curl(`http://${node}:30081/`),
    /^coffee at .* from 10\.244\.255\.1$/,
  ),
  programCheck(
    'a node port on IPv6',
    'outside',
    curl('http://[2001:db8::11]:30081/'),
    /^coffee at \[fd00:10:244:[12]::21\]:8080 /,
    { needsIpv6: true },
  ),
  programCheck(
    'externalTrafficPolicy Local keeps to this node',
    'outside',
    curlMany('http://203.0.113.20/'),
    '10.244.1.61:8080',
    answeringEndpoints,
  ),
  programCheck(
    'and the endpoint sees who the client is',
    'outside',
    curl('http://203.0.113.20/'),
    /^kiosk at 10\.244\.1\.61:8080 .* from 192\.0\.2\.99$/,
  ),
  programCheck(
    'the health check node port counts local endpoints',
    'outside',
    curl(`http://${node}:31082/`),
    /"localEndpoints":\s*1/,
    { digest: (output) => output.replaceAll(/\s+/g, ' ') },
  ),
  programCheck(
    'loadBalancerSourceRanges let the partner in',
    'outside',
    curl('http://203.0.113.21/', '--interface', demoNetwork.outsideSecond),
    /^partner at 10\.244\.1\.71:8080 /,
  ),
  programCheck(
    'and nobody else',
    'outside',
    curl('http://203.0.113.21/', '--connect-timeout', '1', '-o', '/dev/null', '-w', 'exit %{exitcode}'),
    'exit 28',
  ),
  programCheck(
    'an external IP reaches its Service',
    'outside',
    curl('http://203.0.113.30:8000/'),
    /^legacy at 10\.244\.1\.81:8080 /,
  ),
]
