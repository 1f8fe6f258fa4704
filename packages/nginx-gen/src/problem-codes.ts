// Codes of the problems of this package; a retired code is never used again.

/** What each code means, one line each; `docs/errors.md` is generated from it. */
export const nginxProblemCodes = {
  NGX_ANNOTATION_BLOCKED: 'An annotation value that contains a word of the block list; the Ingress is refused.',
  NGX_ANNOTATION_REFERENCE: 'An object that an annotation names cannot be used; the locations answer 503.',
  NGX_ANNOTATION_RISK: 'An annotation riskier than annotations-risk-level admits; the Ingress is refused.',
  NGX_ANNOTATION_UNAVAILABLE: 'An annotation that this nginx has no module for, or that nothing reads any more.',
  NGX_ANNOTATION_VALUE: 'An annotation value that does not parse; the fallback says what holds instead.',
  NGX_BACKEND: 'A backend that is no Service, or a Service or port that does not exist.',
  NGX_CANARY: 'A canary that has nothing to be an alternative of.',
  NGX_CERTIFICATE: 'A certificate that cannot be used; the default certificate is served.',
  NGX_CONFIG_DIRECTIVE:
    'A directive in a wrong place, with a wrong number of arguments, or with a value nginx refuses.',
  NGX_CONFIG_SYNTAX: 'A configuration text that nginx cannot read at this place.',
  NGX_CONFLICT: 'Two Ingresses want the same place; the older one has it.',
  NGX_INGRESS_REFUSED:
    'A host, path or Secret name that is none, such as one with a line of configuration; the Ingress is refused.',
  NGX_SETTING_REFERENCE: 'A ConfigMap or Secret that a key of the main ConfigMap names cannot be used.',
  NGX_SETTING_UNAVAILABLE: 'A ConfigMap key that needs a module this nginx lacks.',
  NGX_SETTING_UNKNOWN: 'A ConfigMap key that ingress-nginx does not know either; nothing reads it.',
  NGX_SETTING_VALUE: 'A ConfigMap value that does not parse; its default holds.',
  NGX_STREAM: 'A TCP or UDP service that cannot be exposed.',
} as const

/** A code of this package. */
export type NginxProblemCode = keyof typeof nginxProblemCodes
