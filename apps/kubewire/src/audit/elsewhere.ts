// Annotations in the words of Gateway API 1.x: the field that does the same, or nearly. What is not here needs a policy
// of the chosen implementation. Source: Gateway API reference (HTTPRoute, TLSRoute, BackendTLSPolicy, GEPs).

const rows: readonly (readonly [pattern: RegExp, place: string])[] = [
  [/^canary-by-header/, 'HTTPRoute: a rule of its own with matches.headers'],
  [
    /^canary-by-cookie$/,
    'HTTPRoute: matches.headers on Cookie with RegularExpression, where the implementation has it',
  ],
  [/^canary/, 'HTTPRoute: backendRefs with weight'],
  [
    /^rewrite-target$/,
    'HTTPRoute: URLRewrite filter with ReplaceFullPath or ReplacePrefixMatch; no groups of an expression',
  ],
  [/^use-regex$/, 'HTTPRoute: path match RegularExpression, as the implementation reads it; it acts on its rule alone'],
  [/^app-root$/, 'HTTPRoute: Exact / with a RequestRedirect filter'],
  [/^(?:permanent|temporal)-redirect/, 'HTTPRoute: RequestRedirect filter'],
  [/^(?:force-)?ssl-redirect$/, 'HTTPRoute of its own on the HTTP listener: RequestRedirect filter with scheme https'],
  [/^from-to-www-redirect$/, 'HTTPRoute for the other name: RequestRedirect filter with hostname'],
  [/^server-alias$/, 'HTTPRoute: more hostnames'],
  [/^upstream-vhost$/, 'HTTPRoute: URLRewrite filter with hostname'],
  [/^custom-headers$/, 'HTTPRoute: ResponseHeaderModifier filter'],
  [/^(?:enable-cors|cors-)/, 'HTTPRoute: CORS filter'],
  [/^mirror-/, 'HTTPRoute: RequestMirror filter'],
  [/^proxy-(?:connect|read|send)-timeout$/, 'HTTPRoute: timeouts.backendRequest, one for all three'],
  [/^proxy-next-upstream/, 'HTTPRoute: retry (experimental)'],
  [/^backend-protocol$/, 'Service: appProtocol; BackendTLSPolicy for TLS; GRPCRoute for gRPC'],
  [/^proxy-ssl-/, 'BackendTLSPolicy; client certificates of the Gateway in spec.tls.backend'],
  [/^auth-tls-/, 'Gateway: spec.tls.frontend with validation'],
  [/^ssl-passthrough$/, 'TLSRoute on a listener with mode Passthrough'],
  [/^(?:affinity|session-cookie-)/, 'HTTPRoute: sessionPersistence (experimental)'],
  [
    /^auth-(?:url|method|signin|response-headers|snippet|cache|request|proxy|always|keepalive)/,
    'HTTPRoute: ExternalAuth filter (experimental)',
  ],
  [/^default-backend$|^custom-http-errors$/, ''],
  [/snippet$/, 'nothing: write it as the filter or policy that it stands for'],
]

/** Where the annotation's effect is found in Gateway API; empty where only policies of implementations have it. */
export function elsewhereOf(annotation: string): string {
  return rows.find(([pattern]) => pattern.test(annotation))?.[1] ?? ''
}
