// Codes of the problems of this package; a retired code is never used again.

/** What each code means, one line each; `docs/errors.md` is generated from it. */
export const apiProblemCodes = {
  API_MANIFEST_FILE: 'A manifest file that cannot be read, is no UTF-8 text, or is too large.',
  API_MANIFEST_DUPLICATE:
    'Two documents of a manifest folder declare the same object; the first in order of files counts.',
  API_MANIFEST_KIND: 'A manifest of a kind that this server does not serve.',
  API_MANIFEST_REFUSED: 'A manifest that the API refuses, with its reason.',
} as const
