// The Chromium of the distribution, headless, driven by playwright-core; nothing is downloaded.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const candidates = [
  process.env['KUBEWIRE_CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

const executablePath = candidates.find((path) => path !== '' && existsSync(path))

/** Why there is no browser; `undefined` when there is one. */
export const whyNoBrowser: string | undefined =
  executablePath === undefined
    ? 'no Chromium is installed (Debian package chromium, or KUBEWIRE_CHROMIUM names one)'
    : undefined

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(whyNoBrowser)
  // Chromium refuses its own sandbox to root.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}
