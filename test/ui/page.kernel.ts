// The page of `kubewire ui` in a real browser: the libraries run in it, paths light up, links lead back to them, files
// that change are followed, nobody else may read it.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import type { RunningProgram } from '../harness/process.ts'
import { startBrowser, whyNoBrowser } from './browser.ts'

if (whyNoBrowser !== undefined) console.log(`page.kernel.ts is skipped: ${whyNoBrowser}`)

const shop = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'examples/shop')

describe.skipIf(whyNoBrowser !== undefined)('the page', () => {
  let folder = ''
  let program: RunningProgram
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let url = ''
  const complaints: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubewire-ui-'))
    await cp(shop, folder, { recursive: true })
    const isReady = ({ output }: RunningProgram): boolean => /^http:\S+\n/m.test(output())
    program = await startDaemon({ daemon: 'kubewire', args: ['ui', '-f', folder], isReady, readyLimitMs: 30_000 })
    url = /^http:\S+/m.exec(program.output())?.[0] ?? ''
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await program?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1360, height: 900 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(15_000)
    page = await context.newPage()
    complaints.length = 0
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
  })

  afterEach(async () => {
    expect(complaints).toEqual([])
    await context.close()
  })

  const litTitles = (): Promise<readonly string[]> => page.locator('.card.is-lit .card-title').allTextContents()

  test('a name that is typed lights up the plugins, and the address leads back to it', async () => {
    await page.goto(url)
    await page.getByRole('combobox', { name: 'Name' }).fill('tea.shop.svc.cluster.local')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Answers 10.96.10.1' }).waitFor()
    expect(await litTitles()).toEqual(expect.arrayContaining(['errors', 'cache', 'kubernetes', '10.96.10.1']))
    expect(page.url()).toBe(`${url}#name?name=tea.shop.svc.cluster.local`)
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { name: 'Answers 10.96.10.1' }).waitFor()
  })

  test('a connection lights up chains, rules and endpoints; a suggestion is taken with the keyboard', async () => {
    await page.goto(url)
    await page.locator('.row').first().waitFor()
    await page.keyboard.press('c')
    await page.keyboard.type('192.0.2.99')
    await page.keyboard.press('Tab')
    await page.keyboard.type('shop/tea')
    const option = page.getByRole('option').first()
    expect(await option.textContent()).toContain('service/shop/tea')
    await page.keyboard.press('ArrowDown')
    expect(await option.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Reaches one of 3 endpoints' }).waitFor()
    expect(await litTitles()).toEqual(
      expect.arrayContaining(['PREROUTING', 'KUBE-SERVICES', 'KUBE-POSTROUTING', '10.244.1.11:8080']),
    )
    expect(await page.locator('.inspector .line.is-lit').count()).toBe(4)
  })

  test('a URL lights up server, location, backend; arrow keys walk its cards', async () => {
    await page.goto(`${url}#url?url=https%3A%2F%2Fshop.example.org%2Fcoffee`)
    await page.getByRole('heading', { name: 'Goes to Service shop/coffee' }).waitFor()
    expect(await page.locator('.card.is-dim .card-title').allTextContents()).toContain('api.example.org')
    await page.locator('.card.is-location.is-lit').focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.inspector h2', { hasText: 'shop-coffee-80' }).waitFor()
    expect(page.url()).toContain('at=backend+shop-coffee-80')
  })

  test('a URL that is pasted into the field of a name is asked as a URL', async () => {
    await page.goto(url)
    await page.getByRole('combobox', { name: 'Name' }).fill('http://nowhere.example.org/')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No Ingress takes this request' }).waitFor()
    expect(await page.getByRole('radio', { name: 'URL' }).isChecked()).toBe(true)
  })

  test('what means nothing here is refused in words, with something to ask instead', async () => {
    await page.goto(`${url}#connection?from=nobody&to=service%2Fshop%2Ftea`)
    await page.getByRole('alert').filter({ hasText: 'expected an address' }).waitFor()
    await page.locator('.samples a').first().click()
    await page.locator('.verdict-line.is-good').waitFor()
  })

  test('findings name the object, which opens as YAML and closes with Escape', async () => {
    await page.goto(`${url}#findings`)
    const finding = page.locator('.finding', { hasText: 'service-without-endpoints' })
    await finding.getByRole('button', { name: 'Show Service shop/archive' }).click()
    const dialog = page.getByRole('dialog', { name: 'Service shop/archive' })
    await dialog.getByText('clusterIP: "10.96.10.7"').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  test.each([360, 820])('nothing is wider than a window of %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 740 })
    for (const hash of [
      '#map',
      '#findings',
      '#name?name=tea.shop.svc.cluster.local',
      '#connection?from=192.0.2.99&to=service/shop/tea',
    ]) {
      await page.goto(`${url}${hash}`)
      await page.locator('.row:visible, .finding:visible, .card:visible').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
  })

  test('a file that changes changes what is shown; a file that breaks is a finding', async () => {
    await page.goto(`${url}#name?name=supper.shop.svc.cluster.local`)
    await page.getByRole('heading', { name: 'There is no such name' }).waitFor()
    const added = join(folder, '99-supper.yaml')
    const text =
      'apiVersion: v1\nkind: Service\nmetadata: {name: supper, namespace: shop}\nspec: {clusterIP: 10.96.10.99, ports: [{port: 80}]}\n'
    await writeFile(added, text)
    await page.getByRole('heading', { name: 'Answers 10.96.10.99' }).waitFor()
    await writeFile(added, `${await readFile(added, 'utf8')}---\n{ this is no yaml\n`)
    await page.goto(`${url}#findings`)
    await page.locator('.finding.is-error', { hasText: '99-supper.yaml' }).waitFor()
    await rm(added)
    await page.locator('.finding.is-error').waitFor({ state: 'detached' })
  })

  test('nobody else may read the cluster, and the page may load nothing from elsewhere', async () => {
    const reply = await ask(url, '/cluster.json', { host: 'attacker.example.org' })
    expect(reply.status).toBe(403)
    const own = await ask(url, '/', {})
    expect(own.status).toBe(200)
    expect(own.headers['content-security-policy']).toContain("default-src 'none'")
    await page.goto(url)
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).origin))
    await page.reload()
    await page.locator('.row').first().waitFor()
    expect(new Set(requested)).toEqual(new Set([new URL(url).origin]))
  })
})

interface Reply {
  readonly status: number | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

function ask(url: string, path: string, headers: { readonly [name: string]: string }): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, headers: response.headers })
    })
    asked.on('error', reject)
    asked.end()
  })
}
