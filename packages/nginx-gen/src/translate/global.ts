// What the ConfigMaps and Secrets named by settings hold: header maps, Diffie-Hellman parameters.
// Second-order input (CVE-2025-15566): checked like an annotation.

import { type ObjectRef, type Problem, quoteFound, sortedEntries } from '@kubewire/kube-model'
import { controlCharacters, isHeaderName } from '../annotations/values.ts'
import { unknownVariable } from '../annotations/variables.ts'
import type { GlobalFeatures } from '../model/model.ts'
import type { ConfigFile } from '../model/tls.ts'
import { geoip2Variables } from '../settings/geoip2.ts'
import { decodeBase64, decodeBase64Bytes } from './base64.ts'
import { pemBlocks } from './certificate.ts'
import type { ReadContext } from './drafts.ts'
import { hashText } from './hash.ts'

/** Resolves the references of the main ConfigMap. */
export function globalFeatures(
  context: ReadContext,
  problems: Problem[],
): { readonly global: GlobalFeatures; readonly files: readonly ConfigFile[] } {
  const { settings } = context
  const dhParam = dhParamFile(context, problems)
  const ticketKey = ticketKeyFile(context, problems)
  return {
    global: {
      requestHeaders: headerMap('proxy-set-headers', settings['proxy-set-headers'], context, problems),
      responseHeaders: headerMap('add-headers', settings['add-headers'], context, problems),
      dhParamFile: dhParam?.name,
      ticketKeyFile: ticketKey?.name,
    },
    files: [dhParam, ticketKey].filter((file) => file !== undefined),
  }
}

function headerMap(
  key: string,
  reference: string,
  { snapshot, options, settings }: ReadContext,
  problems: Problem[],
): readonly (readonly [string, string])[] {
  if (reference === '') return []
  const [namespace = '', name = ''] = reference.split('/')
  const configMap = snapshot.configMaps.get(name, namespace)
  if (configMap === undefined) {
    problems.push(
      settingProblem(options.configMap, key, `ConfigMap ${reference} does not exist`, 'no headers are added'),
    )
    return []
  }
  const more = geoip2Variables(settings, options)
  return sortedEntries(configMap.data).filter(([header, value]) => {
    const isGood = isHeaderName(header) && isHeaderValue(value, more)
    if (!isGood) {
      problems.push({
        code: 'NGX_SETTING_REFERENCE',
        severity: 'warning',
        object: { kind: 'ConfigMap', namespace, name },
        path: `data[${quoteFound(header)}]`,
        message: `expected a header name and a value on one line, got ${quoteFound(value)}`,
        fallback: 'this header is left out',
      })
    }
    return isGood
  })
}

/** Whether a value with nginx variables can stand in a header: `$` only before a variable's name. */
function isHeaderValue(value: string, more: ReadonlySet<string> | undefined): boolean {
  return value.length <= 3000 && !controlCharacters.test(value) && unknownVariable(value, false, more) === undefined
}

function dhParamFile({ settings, snapshot, options }: ReadContext, problems: Problem[]): ConfigFile | undefined {
  const reference = settings['ssl-dh-param']
  if (reference === '') return undefined
  const [namespace = '', name = ''] = reference.split('/')
  const content = decodeBase64(snapshot.secrets.get(name, namespace)?.data?.['dhparam.pem'])
  if (content === undefined || pemBlocks(content, /DH PARAMETERS$/).length === 0) {
    const message = `Secret ${reference} has no dhparam.pem`
    problems.push(settingProblem(options.configMap, 'ssl-dh-param', message, 'no parameters are set'))
    return undefined
  }
  return { name: `dhparam-${hashText(`${reference}\0${content}`)}.pem`, content, isSecret: true }
}

/** nginx takes 48 or 80 bytes (ngx_http_ssl_module, ssl_session_ticket_key). */
function ticketKeyFile({ settings, options }: ReadContext, problems: Problem[]): ConfigFile | undefined {
  const content = settings['ssl-session-ticket-key']
  if (content === '') return undefined
  const length = decodeBase64Bytes(content)?.length
  if (length === 48 || length === 80)
    return { name: `ticket-${hashText(content)}.key`, content, encoding: 'base64', isSecret: true }
  const message = 'expected base64 of 48 or 80 bytes'
  problems.push(settingProblem(options.configMap, 'ssl-session-ticket-key', message, 'nginx makes a key of its own'))
  return undefined
}

function settingProblem(configMap: string | undefined, key: string, message: string, fallback: string): Problem {
  const [namespace = '', name = ''] = (configMap ?? '').split('/')
  const object: ObjectRef = { kind: 'ConfigMap', namespace, name }
  return { code: 'NGX_SETTING_REFERENCE', severity: 'warning', object, path: `data["${key}"]`, message, fallback }
}
