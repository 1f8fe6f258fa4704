// Query strings of API requests.

/** `?a=1&b=2`, or nothing. Absent values are left out. */
export function printQuery(query: { readonly [name: string]: string | number | boolean | undefined }): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined)
  if (present.length === 0) return ''
  return `?${present.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&')}`
}
