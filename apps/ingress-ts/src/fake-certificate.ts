// The certificate that is served where no other is configured, with the original's names (ingress-nginx 1.15 ssl.go,
// GetFakeSSLCert). Made at start, kept in memory and in the run directory.

type Selfsigned = Pick<typeof import('selfsigned'), 'generate'>

/** A self-signed certificate and its key as one PEM text. */
export async function createFakeCertificate(): Promise<string> {
  // Loaded when it is needed: a start with --default-ssl-certificate has no use for it.
  // A bundle gives a CommonJS module as `default` alone, Node gives its names too.
  const loaded: Selfsigned & { readonly default?: Selfsigned } = await import('selfsigned')
  const { generate } = loaded.default ?? loaded
  const nowMs = Date.now()
  const pair = await generate(
    [
      { name: 'organizationName', value: 'Acme Co' },
      { name: 'commonName', value: 'Kubernetes Ingress Controller Fake Certificate' },
    ],
    {
      keySize: 2048,
      algorithm: 'sha256',
      notBeforeDate: new Date(nowMs),
      notAfterDate: new Date(nowMs + 365 * 24 * 3600 * 1000),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2 as const, value: 'ingress.local' }] }],
    },
  )
  return `${pair.cert.trim()}\n${pair.private.trim()}\n`
}
