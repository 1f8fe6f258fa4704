// Base64 of Secret data, without any platform's own buffers.

/** The UTF-8 text of base64 `data`; `undefined` when absent or no base64. */
export function decodeBase64(data: string | undefined): string | undefined {
  const bytes = decodeBase64Bytes(data)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

/** The bytes of base64 `data`; `undefined` when absent or no base64. */
export function decodeBase64Bytes(data: string | undefined): Uint8Array | undefined {
  if (data === undefined) return undefined
  try {
    return Uint8Array.from(atob(data.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
