// Label selectors of a request: kube-model parses them, this file words the refusal as the original does.

import { isLabelKey, isLabelValue, parseSelector, type Selector } from '@kubewire/kube-model'
import { badRequest } from '../api-status.ts'

/** Parses the text; throws the 400 of the original. */
export function parseLabelSelector(text: string): Selector {
  const selector = parseSelector(text)
  if (selector) return selector
  throw badRequest(`unable to parse requirement: ${explainRefusal(text)}`)
}

const labelRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

function explainRefusal(text: string): string {
  if (/={3}|!=\s*=/.test(text)) return "found '=', expected: identifier"
  if (/^\s*,|,\s*,|,\s*$/.test(text)) return "found ',', expected: !, identifier, or 'end of string'"
  const compared = /^([^\s=!<>(),]+)\s*(==|=|!=|>|<)\s*([^\s=!<>(),]*)/.exec(text)
  if (!compared) return `found '${text}', expected: in, notin, =, ==, !=, gt, lt`
  const [, key = '', sign = '', value = ''] = compared
  if (!isLabelKey(key))
    return `key: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters`
  const place = `values[0][${key}]: Invalid value: ${JSON.stringify(value)}`
  if (sign === '>' || sign === '<') return `${place}: for 'Gt', 'Lt' operators, the value must be an integer`
  return isLabelValue(value) ? `found '${text}', expected: ',' or 'end of string'` : `${place}: ${labelRule}`
}
