// Reference pages from the registries: DNS plugins, ingress annotations, ingress ConfigMap keys, lint rules. A registry that is not
// there, or does not load, gives no page.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the pages show of an annotation. */
interface ShownAnnotation {
  readonly names: readonly string[]
  readonly group: string
  readonly scope: string
  readonly risk: string
  readonly value: { readonly expected: string }
  readonly invalid: string
  readonly fallback: string
  readonly summary: string
}

/** What the pages show of a ConfigMap key. */
interface ShownSetting {
  readonly value: { readonly expected: string }
  readonly fallback: unknown
  readonly summary: string
}

/** What the pages show of a plugin. */
interface ShownPlugin {
  readonly name: string
  readonly summary: string
  readonly syntax: string
  readonly properties?: Readonly<Record<string, { readonly syntax: string; readonly summary: string }>>
}

/** What the page shows of a lint rule. */
interface ShownLintRule {
  readonly id: string
  readonly severity: string
  readonly summary: string
  readonly docs: string
  readonly example: string
}

/** `docs/reference/ingress-annotations.md`, one section per group. */
export async function printAnnotationsPage(root: string): Promise<string | undefined> {
  const annotations = await load<readonly ShownAnnotation[]>(
    root,
    'packages/nginx-gen/src/annotations/registry.ts',
    'annotations',
  )
  if (annotations === undefined) return undefined
  const groups = [...new Set(annotations.map(({ group }) => group))]
  return page(
    'Ingress annotations',
    'All begin with `nginx.ingress.kubernetes.io/` unless `--annotations-prefix` says otherwise. *If invalid* says what happens\nto a value that does not parse: it is ignored, the Ingress is refused, or its locations answer 503.',
    groups.flatMap((group) => [
      `## ${group}`,
      '',
      ...table(
        ['annotation', 'value', 'default', 'effect', 'risk', 'if invalid'],
        annotations
          .filter((one) => one.group === group)
          .map((one) => [
            one.names.map((name) => `\`${name}\``).join(', '),
            one.value.expected,
            one.fallback,
            one.summary,
            one.risk,
            one.invalid,
          ]),
      ),
    ]),
  )
}

/** `docs/reference/ingress-settings.md`. */
export async function printSettingsPage(root: string): Promise<string | undefined> {
  const settings = await load<Readonly<Record<string, ShownSetting>>>(
    root,
    'packages/nginx-gen/src/settings/registry.ts',
    'settings',
  )
  if (settings === undefined) return undefined
  return page(
    'Ingress ConfigMap keys',
    'Keys of the ConfigMap that `--configmap` names. A value that does not parse is reported, and the default holds.',
    table(
      ['key', 'value', 'default', 'effect'],
      Object.entries(settings)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { value, fallback, summary }]) => [`\`${key}\``, value.expected, printDefault(fallback), summary]),
    ),
  )
}

/** `docs/reference/dns-plugins.md`, in the order in which plugins run. */
export async function printPluginsPage(root: string): Promise<string | undefined> {
  const plugins = await load<readonly ShownPlugin[]>(
    root,
    'packages/dns-core/src/plugins/registry.ts',
    'pluginRegistry',
  )
  if (plugins === undefined) return undefined
  return page(
    'DNS plugins',
    'In the order in which they run, whatever their order in the Corefile.',
    plugins.flatMap(({ name, summary, syntax, properties }) => [
      `## ${name}`,
      '',
      summary,
      '',
      '```',
      `${name} ${syntax}`.trimEnd(),
      '```',
      '',
      ...(properties === undefined || Object.keys(properties).length === 0
        ? []
        : table(
            ['property', 'effect'],
            Object.entries(properties).map(([property, spec]) => [
              `\`${`${property} ${spec.syntax}`.trimEnd()}\``,
              spec.summary,
            ]),
          )),
    ]),
  )
}

/** `docs/reference/lint-rules.md`: every rule with what to do and a manifest that it speaks about. */
export async function printLintPage(root: string): Promise<string | undefined> {
  const rules = await load<readonly ShownLintRule[]>(root, 'apps/kubewire/src/lint/registry.ts', 'lintRules')
  if (rules === undefined) return undefined
  return page(
    'Lint rules',
    'What `kubewire lint` looks for. An *error* does not work, a *warning* surprises somebody, a *note* could be better and\nnever fails a run. The annotation `lint.kubewire/RULE: "until YYYY-MM-DD: REASON"` on an object sets findings of a rule\naside until that day.',
    [
      ...table(
        ['rule', 'severity', 'finds'],
        rules.map(({ id, severity, summary }) => [`[${id}](#${id})`, severity, summary]),
      ),
      ...rules.flatMap(({ id, severity, summary, docs, example }) => [
        `## ${id}`,
        '',
        `*${severity}*: ${summary}.`,
        '',
        docs,
        '',
        'It speaks about:',
        '',
        '```yaml',
        example.trimEnd(),
        '```',
        '',
      ]),
    ],
  )
}

async function load<T>(root: string, path: string, name: string): Promise<T | undefined> {
  if (!existsSync(join(root, path))) return undefined
  const module = (await import(pathToFileURL(join(root, path)).href)) as Readonly<Record<string, unknown>>
  return module[name] as T | undefined
}

function page(title: string, intro: string, body: readonly string[]): string {
  return [`# ${title}`, '', intro, '', 'This page is generated from the registry by `pnpm docs`.', '', ...body].join(
    '\n',
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), '']
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function printDefault(fallback: unknown): string {
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback)
  if (text === undefined || text === '' || text === '[]' || text === '{}' || text === 'null') return ''
  return `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``
}
