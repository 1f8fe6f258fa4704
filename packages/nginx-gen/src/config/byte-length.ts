// Length of a text as nginx holds it. Without an encoder: this package runs in browsers and reads no globals of Node.

/** Bytes of the UTF-8 form. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // The halves of a pair take four bytes together.
    if (code > 0x7f) bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2
  }
  return bytes
}
