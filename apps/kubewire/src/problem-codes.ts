// Codes of what the command line assumes about objects from files; a retired code is never used again.

/** What each code means, one line each; `docs/errors.md` is generated from it. */
export const cliProblemCodes = {
  CLI_ASSUMED_ADDRESS: 'A Service without a cluster IP, as files usually are: an address is assumed.',
  CLI_ASSUMED_ENDPOINTS:
    'A Service with no EndpointSlice: endpoints are assumed from Pods, workloads or v1 Endpoints of its name.',
  CLI_COREFILE: 'The Corefile of the cluster cannot be used: names cannot be asked in the page of `kubewire ui`.',
  CLI_DUPLICATE_OBJECT: 'The same object twice in the files, by kind, namespace and name: the later one counts.',
  CLI_NOT_OURS: 'An Ingress that names no class, or the class of another controller.',
  CLI_NO_PODS: 'A Service whose selector selects no Pod and no workload of the files.',
  CLI_OBJECT_SHAPE: 'An object of a file that no API server would take: a value of the wrong type, or no name.',
  CLI_REFUSED: 'A Service, Ingress or EndpointSlice that no API server would take, with the server’s own words.',
  CLI_SUPPRESSION: 'An annotation that sets nothing aside: it names no rule, no day of the calendar or no reason.',
  CLI_UNKNOWN_FIELD: 'A field of a file that its kind does not have, mostly a typing error: nothing comes of it.',
} as const
