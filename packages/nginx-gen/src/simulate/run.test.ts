import { describe, expect, it } from 'vitest'
import { parseConfig } from '../config/parse.ts'
import { describeRequests } from '../testing/describe-requests.ts'
import { requestTables } from '../testing/request-tables.ts'
import { kubewireLua } from './lua-port.ts'
import { simulateRequest } from './run.ts'

const tree = (text: string) => () => {
  const { value, problems } = parseConfig(text)
  expect(problems).toEqual([])
  return value
}

const http = (servers: string) => tree(`http { ${servers} }`)

for (const { what, servers, rows } of requestTables) describeRequests(what, http(servers), rows)

describe('variables and headers', () => {
  it('maps are evaluated by exact key, then expression, then default', () => {
    const text = `http { map $http_x $y { default d; one 1; ~^t(.*)$ "t:$1"; } server { listen 80; add_header Y $y; location / { return 200; } } }`
    const header = (x: string) =>
      simulateRequest(parseConfig(text).value, { host: 'h', headers: { X: x } }).responseHeaders['y']
    expect([header('ONE'), header('two'), header('other')]).toEqual(['1', 't:wo', 'd'])
  })

  it('request headers of the innermost level are sent to the backend', () => {
    const text = `http { proxy_set_header A http; server { listen 80; location / { proxy_set_header B "$scheme-$host"; proxy_pass http://u; } location /in { proxy_pass http://u; } } }`
    const headers = (path: string) => {
      const { outcome } = simulateRequest(parseConfig(text).value, { host: 'h', path })
      return outcome.kind === 'proxy' ? outcome.headers : undefined
    }
    expect(headers('/')).toEqual({ b: 'http-h' })
    expect(headers('/in')).toEqual({ a: 'http' })
  })

  it('headers of an if block hold for the answer that it returns', () => {
    const text = `http { server { listen 80; location / { if ($request_method = OPTIONS) { more_set_headers "A: b"; return 204; } return 200; } } }`
    const headers = (method: string) => simulateRequest(parseConfig(text).value, { host: 'h', method }).responseHeaders
    expect(headers('OPTIONS')).toEqual({ a: 'b' })
    expect(headers('GET')).toEqual({})
  })

  it('try_files names what answers where it finds no file', () => {
    const text =
      'http { server { listen 80; location / { try_files $uri @app; } location @app { proxy_pass http://u; } } }'
    expect(simulateRequest(parseConfig(text).value, { host: 'h' }).outcome).toEqual({
      kind: 'other',
      by: 'try_files',
      otherwise: '@app',
    })
  })

  it('names variables that only a running nginx knows', () => {
    const text = `http { server { listen 80; location / { return 200 $upstream_addr; } } }`
    expect(simulateRequest(parseConfig(text).value, { host: 'h' }).unknownVariables).toEqual(['upstream_addr'])
  })
})

describeRequests(
  'our Lua step',
  http(`server { listen 80; location / { set $proxy_upstream_name $arg_u; set $ssl_redirect tls; set $redirect_code 308;
    set $pass_access_scheme $scheme; rewrite_by_lua_block { kubewire.rewrite() } proxy_pass http://upstream_balancer; } }`),
  [
    ['secure.test/a/?u=full', '308 https://secure.test/a/?u=full', 'a host with a certificate is redirected'],
    ['plain.test/?u=full', 'backend full', 'a backend with endpoints serves'],
    ['plain.test/?u=empty', '503', 'a backend without endpoints answers 503'],
  ],
  {
    lua: kubewireLua({
      hasCertificate: (host) => host === 'secure.test',
      endpointCount: (b) => (b === 'full' ? 1 : 0),
    }),
  },
)
