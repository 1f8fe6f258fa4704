// How long a server asks to be left alone: the `Retry-After` header, in seconds or as a date. Source: RFC 9110, 10.2.3.
// kube-apiserver sends seconds; proxies in front of it also send dates.

const imfDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Seconds to wait; 0 when the header is absent, past or unreadable.
 *
 * @param sentAt - the answer's own `Date` header, which a date is measured against: the clocks of both ends may differ
 * @param nowMs - the local clock, for answers without a date of their own
 */
export function parseRetryAfter(text: string | undefined, sentAt: string | undefined, nowMs: number): number {
  const trimmed = text?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed)
  const untilMs = dateMs(trimmed)
  if (untilMs === undefined) return 0
  return Math.max(0, (untilMs - (dateMs(sentAt) ?? nowMs)) / 1000)
}

function dateMs(text: string | undefined): number | undefined {
  if (text === undefined || !imfDate.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
