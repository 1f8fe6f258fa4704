// Codes of the problems of this package; a retired code is never used again.

/** What each code means, one line each; `docs/errors.md` is generated from it. */
export const modelProblemCodes = {
  MODEL_NOT_AN_OBJECT: 'A YAML document that is no Kubernetes object: apiVersion or kind is missing; it is left out.',
  MODEL_YAML: 'A text that is neither YAML nor JSON, or that expands without bound; the document is left out.',
} as const
