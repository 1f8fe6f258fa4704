// Kubernetes quantities (apimachinery `resource.Quantity`): `100m`, `1.5Gi`, `2e3`.

const factors: { readonly [suffix: string]: number } = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** The plain number of a quantity (bytes, cores); `undefined` when the text is none. */
export function parseQuantity(text: string): number | undefined {
  const match = /^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?:([eE][+-]?[0-9]+)|([numkMGTPE]|[KMGTPE]i))?$/.exec(text)
  if (!match) return undefined
  const [, digits, exponent = '', suffix = ''] = match
  return Number(`${digits}${exponent}`) * (factors[suffix] ?? Number.NaN)
}
