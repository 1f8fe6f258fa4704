// The faults that can be asked for: a table of what each does. The code behind them is in request-faults.ts,
// watch-faults.ts and server-faults.ts.

/** Where a fault takes hold. */
export type FaultPlace = 'request' | 'watch' | 'server'

/** Every fault with its place and what a client sees. */
export const faultKinds = {
  throttle: ['request', '429 in plain text, with `Retry-After` (retryAfter=1; 0 for none)'],
  serverError: ['request', 'status=500 (or 502, 503, 504), body=json, html or empty'],
  unauthorized: ['request', '401'],
  forbidden: ['request', '403'],
  expired: ['request', '410 by status'],
  expirePage: ['request', '410 for a request with a page token'],
  tooLargeVersion: ['request', '504 with the cause ResourceVersionTooLarge'],
  garbage: ['request', '200 and a web page'],
  hang: ['request', 'no answer at all'],
  refuseConnection: ['request', 'TCP reset instead of an answer'],
  slowBody: ['request', 'the body in pieces of chunk=1 bytes every every=5ms'],
  ignoreLimit: ['request', 'everything in one page'],
  ignoreSelector: ['request', 'objects outside the selection, too'],
  clockSkew: ['request', 'a `Date` header that is off by by=1h'],
  dropWatch: ['watch', 'a clean end after frames=0'],
  reset: ['watch', 'TCP reset after frames=0'],
  stall: ['watch', 'silence without closing after frames=0'],
  halfFrame: ['watch', 'half of a frame, then a reset'],
  gone: ['watch', 'an ERROR frame 410, then the end'],
  futureVersion: ['watch', 'an ERROR frame 504 with the cause ResourceVersionTooLarge, then the end'],
  joinFrames: ['watch', 'two frames in one chunk'],
  splitFrames: ['watch', 'frames in chunks of chunk=1 bytes, also inside characters'],
  duplicateEvent: ['watch', 'an event twice'],
  staleEvent: ['watch', 'after an event, an older state of the same object'],
  reorder: ['watch', 'two events of different objects swapped'],
  missEvent: ['watch', 'an event withheld'],
  bookmarkOnly: ['watch', 'events withheld, bookmarks sent'],
  earlyEndBookmark: ['watch', 'the end of the initial events before they were sent'],
  noEndBookmark: ['watch', 'initial events that never end'],
  unknownType: ['watch', 'a frame of a type that does not exist'],
  wrongKind: ['watch', 'a frame with an object of another kind'],
  nullObject: ['watch', 'a frame without an object'],
  noVersion: ['watch', 'an object without a resource version'],
  tableFrame: ['watch', 'a Table that nobody asked for'],
  emptyLine: ['watch', 'an empty line'],
  badJson: ['watch', 'a line that is no JSON'],
  hugeLine: ['watch', 'a line of 20 MB'],
  restart: ['server', 'history gone, connections reset, nobody home for down=0s'],
  rollback: ['server', 'the state and version of by=1 versions ago, as after a restored backup'],
  compact: ['server', 'history gone'],
  dropConnections: ['server', 'every connection reset'],
} as const

/** The name of a fault. */
export type FaultKind = keyof typeof faultKinds

/** Whether a word names a fault. */
export function isFaultKind(word: string): word is FaultKind {
  return Object.hasOwn(faultKinds, word)
}

/** Where a fault takes hold. */
export function placeOfFault(kind: FaultKind): FaultPlace {
  return faultKinds[kind][0]
}
