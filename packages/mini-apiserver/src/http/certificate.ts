// The self-signed certificate that https is served with. `selfsigned` is loaded only when one is made.

type Selfsigned = Pick<typeof import('selfsigned'), 'generate'>

/** A certificate and its key, both PEM. */
export interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

/**
 * Makes a certificate for names and addresses, valid for a year. Takes about a second.
 *
 * @param hosts - DNS names and IP addresses
 * @param commonName - of the subject
 */
export async function makeCertificate(
  hosts: readonly string[],
  commonName: string = 'mini-apiserver',
): Promise<ServerCertificate> {
  // A bundle gives a CommonJS module as `default` alone, Node gives its names too.
  const loaded: Selfsigned & { readonly default?: Selfsigned } = await import('selfsigned')
  const { generate } = loaded.default ?? loaded
  const altNames = hosts.map((host) =>
    /^[0-9.]+$|:/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
  )
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return { cert: made.cert, key: made.private }
}
