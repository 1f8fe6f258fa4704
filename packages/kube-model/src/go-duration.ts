// Durations as Go writes them (Go time.ParseDuration, Duration.String).

const unitMs: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/**
 * Milliseconds of a Go duration such as `1h30m`, `250ms`, `-1.5s` or `0`; `undefined` when it is none.
 *
 * @see Go `time.ParseDuration`
 */
export function parseGoDuration(text: string): number | undefined {
  const match = /^([+-]?)(.*)$/s.exec(text)
  const body = match?.[2] ?? ''
  if (body === '0') return 0
  if (!/^(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined
  let ms = 0
  for (const [, digits, unit] of body.matchAll(/([0-9]*\.?[0-9]*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    ms += Number(digits) * (unitMs[unit ?? ''] ?? Number.NaN)
  }
  return match?.[1] === '-' && ms !== 0 ? -ms : ms
}

/** A duration in milliseconds as Go's `Duration.String` prints it: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function printGoDuration(ms: number): string {
  if (ms === 0) return '0s'
  if (ms < 0) return `-${printGoDuration(-ms)}`
  if (ms < 1e-3) return `${trim(ms * 1e6)}ns`
  if (ms < 1) return `${trim(ms * 1e3)}µs`
  if (ms < 1000) return `${trim(ms)}ms`
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = `${trim((ms % 60_000) / 1000)}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

function trim(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '')
}
