// Elements in one expression: `h('p', { class: 'note' }, text, child)`. Text is always text: there is no way to hand in HTML.

/** What an element can hold. */
export type Child = Node | string | undefined | false

interface Attributes {
  readonly [name: string]: string | boolean | number | undefined | ((event: never) => void)
}

const svgNamespace = 'http://www.w3.org/2000/svg'

/** An HTML element. `on…` attributes are listeners; `true` is an attribute without value; `undefined` and `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children)
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgNamespace, name), attributes, children)
}

/** Sets a custom property or a style; a policy of the page forbids style attributes. */
export function styled<T extends HTMLElement | SVGElement>(element: T, style: Readonly<Record<string, string>>): T {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value)
  return element
}

/** The element of the page's own HTML with this id. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`the page has no #${id}`)
  return element
}

function fill<T extends Element>(element: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children) if (child !== undefined && child !== false) element.append(child)
  return element
}
