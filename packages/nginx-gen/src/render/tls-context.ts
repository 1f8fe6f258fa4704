// Which servers have a TLS context of their own. A certificate in a server block makes nginx read it and build a context
// for that server, a millisecond each; without one the connection keeps the context of the listener's default server, in
// which Lua has chosen the certificate by name before (nginx 1.22 ngx_http_ssl_module: merge, servername callback).

import { type ConfigNode, directive, literal } from '../config/node.ts'
import { luaCertificate, luaClientHello } from '../lua/directives.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost, type Server } from '../model/server.ts'
import type { RenderModel } from './render-model.ts'

/** The certificate of a server and who chooses it; nothing where the default server's context does. */
export function renderTlsContext(server: Server, { model, paths }: RenderModel): readonly ConfigNode[] {
  const isDefault = server.host === catchAllHost
  if (!isDefault && !ownsTlsContext(server, model)) return []
  const hasFile = model.options.balancing === 'static' && hasOwnPair(server)
  const file = literal(hasFile ? `${paths.filesDir}/pair-${server.certificate}.pem` : paths.defaultCertificate)
  const pair = [directive('ssl_certificate', file), directive('ssl_certificate_key', file)]
  if (model.options.balancing === 'static') return pair
  // The hello is read before the server is known, so that it serves all names; a server of its own context chooses again.
  const isByHello = isDefault && !needsEveryContext(model)
  return [...pair, isByHello ? luaClientHello() : luaCertificate(model.settings['enable-ocsp'])]
}

/** The certificate of a server that only redirects; nothing where the default server's context does. */
export function renderRedirectContext({ model, paths }: RenderModel): readonly ConfigNode[] {
  if (!needsEveryContext(model)) return []
  const file = literal(paths.defaultCertificate)
  const pair = [directive('ssl_certificate', file), directive('ssl_certificate_key', file)]
  return model.options.balancing === 'static' ? pair : [...pair, luaCertificate(model.settings['enable-ocsp'])]
}

/** Whether something of the server is read from the TLS context and not with the request. */
function ownsTlsContext(server: Server, model: Model): boolean {
  return (
    needsEveryContext(model) ||
    server.clientAuth?.kind === 'verify' ||
    server.ciphers !== undefined ||
    server.prefersServerCiphers !== undefined ||
    (server.snippet !== undefined && namesTls.test(server.snippet)) ||
    (model.options.balancing === 'static' && hasOwnPair(server))
  )
}

const namesTls = /\bssl_/

function needsEveryContext({ settings, options }: Model): boolean {
  // The hello is too early to staple, and what runs after it is looked up in the server of the name.
  if (settings['enable-ocsp'] && options.balancing === 'dynamic') return true
  return namesTls.test(settings['server-snippet']) || /\bssl_certificate/.test(settings['http-snippet'])
}

function hasOwnPair({ certificate }: Server): boolean {
  return certificate !== undefined && certificate !== 'default'
}
