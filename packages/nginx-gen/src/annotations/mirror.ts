// mirror-target, mirror-host, mirror-request-body: a copy of every request to somewhere else; its answer is ignored.
// Source: ingress-nginx 1.15 annotations/mirror.

import { block, directive, interpolated, literal } from '../config/node.ts'
import { hashText } from '../translate/hash.ts'
import { at, defineAnnotation, defineFamily, type Family, inServer } from './define.ts'
import { hostWithVariables, onOff, textOf } from './values.ts'
import { withKnownVariables } from './variables.ts'

/** Where copies go. */
export interface Mirror {
  readonly target: string
  readonly host: string
  readonly withBody: boolean
}

const mirrorTarget = defineAnnotation({
  names: ['mirror-target'],
  group: 'other',
  scope: 'ingress',
  risk: 'High',
  value: textOf(
    /^https?:\/\/(?!unix:)[A-Za-z0-9\-._~[\]:]+(?:[/?][A-Za-z0-9\-._~/:?&=,%+${}]*|\$request_uri)?$/,
    'an http or https URL',
  ),
  // The original leaves a mirror directive without location behind; better no Ingress than a broken file.
  invalid: 'refuse',
  fallback: 'no copies',
  summary: 'URL that a copy of every request goes to, usually with $request_uri',
  tier: 2,
})

const mirrorHost = defineAnnotation({
  names: ['mirror-host'],
  group: 'other',
  scope: 'ingress',
  risk: 'High',
  value: hostWithVariables,
  invalid: 'refuse',
  fallback: 'the host of the target',
  summary: 'Host header of the copy',
  tier: 3,
})

const mirrorRequestBody = defineAnnotation({
  names: ['mirror-request-body'],
  group: 'other',
  scope: 'ingress',
  risk: 'Low',
  value: onOff,
  invalid: 'ignore',
  fallback: 'on',
  summary: 'copies the body too',
  tier: 3,
})

/** See the file header; `undefined` without a target. */
export const mirror: Family<Mirror | undefined> = defineFamily({
  name: 'mirror',
  annotations: [mirrorTarget, mirrorHost, mirrorRequestBody],
  resolve: (read, context) => {
    const target = withKnownVariables(mirrorTarget, read(mirrorTarget), context)
    const given = withKnownVariables(mirrorHost, read(mirrorHost), context)
    const withBody = read(mirrorRequestBody) !== 'off'
    if (target === undefined) return undefined
    const host = /^https?:\/\/([^/:?$]+|\[[^\]]*\])/.exec(target)?.[1] ?? ''
    return { target, host: given ?? host, withBody }
  },
  render: (value) => {
    if (value === undefined) return []
    const path = `/_mirror-${hashText(JSON.stringify(value))}`
    return [
      at('variables', directive('mirror', path), directive('mirror_request_body', value.withBody ? 'on' : 'off')),
      inServer(
        block(
          'location',
          ['=', literal(path)],
          [
            directive('internal'),
            ...(value.withBody ? [] : [directive('proxy_pass_request_body', 'off')]),
            directive('proxy_set_header', 'Host', interpolated(value.host)),
            ...(value.withBody ? [] : [directive('proxy_set_header', 'Content-Length', literal(''))]),
            // A variable makes nginx resolve the name at the request: an unknown one cannot stop a reload.
            directive('set', '$mirror_target', interpolated(value.target)),
            directive('proxy_pass', '$mirror_target'),
          ],
        ),
      ),
    ]
  },
})
