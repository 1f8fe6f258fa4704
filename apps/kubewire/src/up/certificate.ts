// Certificates made at start: a key in a repository would be everybody's key.

/** A certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Signs itself for these names and addresses, valid for a week. */
export async function makeCertificate(names: readonly string[]): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const altNames = names.map((name) =>
    /^[0-9.]+$|:/.test(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  )
  const notAfterDate = new Date(Date.now() + 7 * 24 * 3_600_000)
  const made = await generate([{ name: 'commonName', value: names[0] ?? 'kubewire' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  return { cert: made.cert, key: made.private }
}
