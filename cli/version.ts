import { readFileSync } from 'node:fs'

export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** Commit of the checkout that runs; undefined in a deployment without one. */
export const commit: string | undefined = commitOf('HEAD')

/** Reads where a reference leads. A packed one stays unknown. */
function commitOf(reference: string): string | undefined {
  try {
    const text = readFileSync(new URL(`../.git/${reference}`, import.meta.url), 'utf8').trim()
    return text.startsWith('ref: ') ? commitOf(text.slice(5)) : text.slice(0, 12)
  } catch {
    return undefined
  }
}
