// Annotations that act differently from ingress-nginx 1.15 on purpose, whatever their value (docs/compat/ingress-nginx.md).

const rows: readonly (readonly [pattern: RegExp, difference: string])[] = [
  [
    /^auth-(?:cache-duration|request-redirect|always-set-cookie)$/,
    'a bad value answers 503; the original switches the authentication off',
  ],
  [
    /^(?:auth-signin|auth-cache-key|satisfy|auth-tls-verify-client)$/,
    'a bad value refuses the Ingress; the original ignores it',
  ],
  [/^cors-allow-origin$/, 'a bad value allows no origin, the original every one; patterns are anchored at both ends'],
  [/^canary-/, 'without canary: "true" the Ingress is refused; the original serves it as an ordinary one'],
  [/^auth-keepalive/, 'accepted, no connections are kept to the authentication service'],
  [/^(?:auth-url|mirror-target)$/, 'a host that does not resolve fails its requests; the original fails every reload'],
  [/snippet$/, 'parsed: it must be balanced, and forbidden directives refuse the Ingress'],
]

/** What differs, or `undefined`. */
export function changeOf(annotation: string): string | undefined {
  return rows.find(([pattern]) => pattern.test(annotation))?.[1]
}
