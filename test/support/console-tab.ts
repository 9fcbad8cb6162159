import { expect } from 'vitest'
import type { Browser, Tab } from './browser.ts'
import { DESK } from './page-faults.ts'

/** The console in a tab, as a person uses it. */

/** Keeps what the policy has refused, and the files that were saved, in the tab. */
export const WITNESS = `
  globalThis.violations = []
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    violations.push(violatedDirective + ' ' + blockedURI))
  globalThis.saved = []
  const createObjectURL = URL.createObjectURL
  URL.createObjectURL = (blob) => {
    blob.text().then((text) => saved.push({ type: blob.type, text: blob.type === 'image/png' ? '' : text }))
    return createObjectURL(blob)
  }`

/** Waits until an expression in the page is true (or any other value that counts as true), and returns it. */
export async function untilIn<T>(tab: Tab, expression: string): Promise<T> {
  let value: T | undefined
  await expect.poll(async () => (value = await tab.evaluate<T>(expression)), { message: expression }).toBeTruthy()
  return value as T
}

/** The text of the first element that a selector finds, once it has one. */
export const textOf = (tab: Tab, selector: string): Promise<string> =>
  untilIn(tab, `document.querySelector(${JSON.stringify(selector)})?.textContent`)

export async function pasteKey(tab: Tab, key: string): Promise<void> {
  await tab.evaluate(`document.querySelector('#api-key').value = ${JSON.stringify(key)}`)
  await tab.evaluate(`document.querySelector('.key-form').requestSubmit()`)
}

/** A tab of its own that has been given the key. */
export async function openWithKey(browser: Browser, base: string, key: string): Promise<Tab> {
  const tab = await browser.newTab()
  await tab.prepare(WITNESS)
  await tab.view({ width: DESK })
  await tab.open(`${base}/`)
  await pasteKey(tab, key)
  await untilIn(tab, `location.search === '?view=prices'`)
  return tab
}
