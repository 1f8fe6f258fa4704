// Codes of the problems and errors of this package; a retired code is never used again.

/** What each code means, one line each; `docs/errors.md` is generated from it. */
export const kitProblemCodes = {
  KIT_FLAG_UNKNOWN: 'A command-line flag that this program does not have.',
  KIT_FLAG_VALUE: 'A command-line flag without a value, or with a value of the wrong type.',
  KIT_COMMAND_MISSING: 'A program could not be started: not installed or not executable.',
  KIT_COMMAND_TIMEOUT: 'A program did not end within its time limit and was killed.',
  KIT_COMMAND_OUTPUT: 'A program wrote more than its output limit and was killed.',
  KIT_COMMAND_ABORTED: 'A program was killed because its caller no longer wants the result.',
  KIT_CLUSTER_CONFIG: 'A kubeconfig that cannot be read or names a context, cluster or user it does not hold.',
  KIT_CLUSTER_REQUEST: 'The API server refused a request or could not be reached.',
  KIT_MANIFEST_DUPLICATE: 'Two files of a manifest folder declare the same object.',
} as const
