/** apimachinery `intstr.IntOrString`: a port by number or by name. */
export type IntOrString = number | string

/** The number, when the value is one or is the decimal text of one. */
export function asPortNumber(value: IntOrString | undefined): number | undefined {
  if (typeof value === 'number') return value
  return value !== undefined && /^[0-9]{1,5}$/.test(value) ? Number(value) : undefined
}
