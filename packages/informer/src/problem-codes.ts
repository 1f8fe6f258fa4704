// Every code a `WatchError` can carry, with what it means and what the informer does. `docs/errors.md` is made from it.

/** Code of a `WatchError`; stable forever. */
export type InformerCode =
  | 'INF_CONNECT'
  | 'INF_TLS'
  | 'INF_UNAUTHORIZED'
  | 'INF_FORBIDDEN'
  | 'INF_NOT_FOUND'
  | 'INF_EXPIRED'
  | 'INF_TOO_LARGE_VERSION'
  | 'INF_VERSION_ROLLBACK'
  | 'INF_THROTTLED'
  | 'INF_SERVER'
  | 'INF_IDLE'
  | 'INF_SHORT_WATCH'
  | 'INF_BAD_FRAME'
  | 'INF_BAD_LIST'
  | 'INF_WRONG_KIND'
  | 'INF_TRANSFORM'
  | 'INF_INDEX'
  | 'INF_HANDLER'
  | 'INF_REQUEST'

/** Code → one sentence: what happened and what happens next. */
export const informerCodes: { readonly [C in InformerCode]: string } = {
  INF_CONNECT: 'no connection, or it broke; retried with back-off, the watch resumes at the last version',
  INF_TLS: 'the TLS handshake was refused; retried with back-off, credentials are read again',
  INF_UNAUTHORIZED: 'the server answered 401 also after the credentials were read again; retried with back-off',
  INF_FORBIDDEN: 'the server answered 403; retried with back-off until access is granted',
  INF_NOT_FOUND: 'the server does not know this resource (404); retried with back-off until it is installed',
  INF_EXPIRED: 'the version is older than the server’s history (410); the state is listed again',
  INF_TOO_LARGE_VERSION: 'the server has not reached this version yet (504); the most recent state is listed',
  INF_VERSION_ROLLBACK: 'the server’s versions went backwards (restored or wiped storage); the state is listed anew',
  INF_THROTTLED: 'the server answered 429; retried no earlier than it asked for',
  INF_SERVER: 'the server answered with another error; retried with back-off',
  INF_IDLE: 'nothing was received for too long; the connection is dropped and the watch resumes',
  INF_SHORT_WATCH: 'a watch ended within a second and brought nothing; retried with back-off',
  INF_BAD_FRAME: 'a watch frame could not be used; an unreadable stream is dropped, a single bad object skipped',
  INF_BAD_LIST: 'the answer to a list was no list; retried with back-off',
  INF_WRONG_KIND: 'an object of another kind came; it is skipped',
  INF_TRANSFORM: 'the transform threw for an object; it counts as absent',
  INF_INDEX: 'an index function threw for an object; the object is stored and missing from that index',
  INF_HANDLER: 'a subscriber threw; for use in `config.onUnhandledError` of rxjs, never reported by the informer',
  INF_REQUEST: 'a single request was refused by the server; the caller decides',
}
