// An annotation of our own, `team`, that names the owner in a response header, and a line in every configuration. Run it
// with `ingress-ts --extension extension.mjs`: it is followed, and a version that does not work is named and not used.

/** @type {(kit: import('@kubewire/nginx-gen').ExtensionKit) => import('@kubewire/nginx-gen').Extension} */
export default ({ at, comment, defineAnnotation, defineFamily, directive, literal, values }) => {
  const team = defineAnnotation({
    names: ['team'],
    group: 'other',
    scope: 'location',
    risk: 'Low',
    value: values.oneOf(['tea', 'milk']),
    invalid: 'ignore',
    fallback: 'no header',
    summary: 'Names the team that answers for the location.',
    tier: 3,
  })
  return {
    families: [
      defineFamily({
        name: 'team',
        annotations: [team],
        resolve: (read) => read(team),
        render: (name) =>
          name === undefined ? [] : [at('response', directive('more_set_headers', literal(`X-Team: ${name}`)))],
      }),
    ],
    transform: (tree) => [comment('kept by the tea team'), ...tree],
  }
}
