// Codes of the problems that this package reports, with a paragraph for each; `docs/errors.md` is made from it.

/** Code → what it means and what to do. */
export const dnsProblemCodes = {
  DNS_COREFILE_SYNTAX:
    'The Corefile cannot be read: a brace, quote, snippet or import is wrong. The message names file and line.',
  DNS_UNKNOWN_DIRECTIVE:
    'A directive names no plugin, or one that is known but not supported. The nearest known name is given.',
  DNS_BLOCK_KEY: 'A key of a server block is no zone, or the same zone, port and transport is served twice.',
  DNS_PLUGIN_CONFIG: 'A plugin refuses its arguments or a property. The message is that of CoreDNS.',
} as const
