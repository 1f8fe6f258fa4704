// ConfigMap data → settings. A value that does not parse leaves its key at the default, with a problem; unknown keys
// are ignored, as the original does, but said.

import {
  nearestWord,
  type ObjectRef,
  type Problem,
  quoteFound,
  sortedEntries,
  type WithProblems,
  withProblems,
} from '@kubewire/kube-model'
import { controlCharacters, flag } from '../annotations/values.ts'
import type { NginxProblemCode } from '../problem-codes.ts'
import {
  hasModule,
  type InstalledModules,
  noOptionalModules,
  type OptionalModule,
  whatIsNeeded,
} from '../snapshot/optional-modules.ts'
import type { Setting } from './define.ts'
import { type Settings, settings } from './registry.ts'

/** What holds without any ConfigMap. */
export const defaultSettings: Settings = Object.fromEntries(
  Object.entries(settings).map(([key, setting]) => [key, (setting as Setting<unknown>).fallback]),
) as unknown as Settings

/**
 * Reads the main ConfigMap.
 *
 * @param data - its `data`; absent means no ConfigMap
 * @param modules - keys that need another one are reported
 * @param object - named by problems (`NGX_SETTING_VALUE`, `NGX_SETTING_UNAVAILABLE`)
 */
export function parseSettings(
  data: { readonly [key: string]: string } | undefined,
  object: ObjectRef = { kind: 'ConfigMap', name: 'nginx-configuration' },
  modules: InstalledModules = noOptionalModules,
): WithProblems<Settings> {
  const values: Record<string, unknown> = { ...defaultSettings }
  const problems: Problem[] = []
  for (const [key, text] of sortedEntries(data)) {
    const setting = Object.hasOwn(settings, key) ? (settings[key as keyof Settings] as Setting<unknown>) : undefined
    if (setting === undefined) {
      problems.push(unknown(object, key))
      continue
    }
    const value = parseSetting(setting, String(text))
    if (value === undefined) {
      problems.push({
        code: 'NGX_SETTING_VALUE' satisfies NginxProblemCode,
        severity: 'warning',
        object,
        path: `data["${key}"]`,
        message: `expected ${setting.value.expected}, got ${quoteFound(text)}`,
        fallback: setting.invalid
          ? 'what is good of it is used'
          : `the default ${quoteFound(setting.fallback)} is used`,
      })
      if (setting.invalid !== undefined) values[key] = setting.invalid(String(text))
      continue
    }
    values[key] = value
    if (value === true && setting.module !== undefined && !hasModule(modules, setting.module)) {
      problems.push(unavailable(object, key, setting.module))
    }
  }
  return withProblems(values as unknown as Settings, problems)
}

function parseSetting(setting: Setting<unknown>, text: string): unknown {
  if (setting.value.multiline) return setting.value.parse(text)
  const trimmed = text.trim()
  // COMPAT: an empty text is no default: of a flag it is false (mapstructure, weakly typed).
  if (trimmed === '') return setting.value === flag ? false : (setting.value.parse('') ?? setting.fallback)
  return controlCharacters.test(trimmed) ? undefined : setting.value.parse(trimmed)
}

function unknown(object: ObjectRef, key: string): Problem {
  const meant = nearestWord(key, Object.keys(settings))
  return {
    code: 'NGX_SETTING_UNKNOWN' satisfies NginxProblemCode,
    severity: 'warning',
    object,
    path: `data["${key}"]`,
    message: `expected a key of ingress-nginx, got ${quoteFound(key)}${meant === undefined ? '' : `, did you mean ${meant}?`}`,
    fallback: 'nothing reads it',
  }
}

function unavailable(object: ObjectRef, key: string, module: OptionalModule): Problem {
  return {
    code: 'NGX_SETTING_UNAVAILABLE' satisfies NginxProblemCode,
    severity: 'warning',
    object,
    path: `data["${key}"]`,
    message: whatIsNeeded[module],
    fallback: 'the key has no effect',
  }
}
