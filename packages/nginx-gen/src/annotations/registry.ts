// The annotation families, one line each. Order within a slot of a location follows this list: redirects and access
// checks come before what they guard.

import { affinity } from './affinity.ts'
import { upstreaming } from './backend-protocol.ts'
import { balancing } from './balancing.ts'
import { basicAuth } from './basic-auth.ts'
import { canary } from './canary.ts'
import { clientCertificates } from './client-certificates.ts'
import { cors } from './cors.ts'
import { customHeaders } from './custom-headers.ts'
import { errorHandling } from './default-backend.ts'
import type { Annotation, Family } from './define.ts'
import { externalAuth } from './external-auth.ts'
import { logs } from './logs.ts'
import { mirror } from './mirror.ts'
import { modsecurity } from './modsecurity.ts'
import { proxy } from './proxy.ts'
import { proxyTls } from './proxy-tls.ts'
import { rateLimit } from './rate-limit.ts'
import { redirect } from './redirect.ts'
import { rewrite } from './rewrite.ts'
import { http2Push, serverWishes } from './server.ts'
import { snippets } from './snippets.ts'
import { sourceRanges } from './source-ranges.ts'
import { sslRedirect } from './ssl-redirect.ts'
import { unavailable } from './unavailable.ts'
import { wwwRedirect } from './www-redirect.ts'

/** Every family. */
export const families: readonly Family<unknown>[] = [
  canary,
  affinity,
  balancing,
  serverWishes,
  wwwRedirect,
  mirror,
  sslRedirect,
  logs,
  sourceRanges,
  cors,
  externalAuth,
  basicAuth,
  clientCertificates,
  rateLimit,
  proxy,
  customHeaders,
  snippets,
  errorHandling,
  redirect,
  rewrite,
  http2Push,
  upstreaming,
  proxyTls,
  modsecurity,
  unavailable,
]

/** Every annotation, for reference pages, linters and admission. */
export const annotations: readonly Annotation<unknown>[] = families.flatMap((family) => family.annotations)
