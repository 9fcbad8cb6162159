import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeSample } from './sample.ts'

/** `node test/sample/make/main.ts FOLDER…` writes sample/figures and sample/prices anew from the recorded files there. */
const folders = process.argv.slice(2)
if (folders.length === 0) {
  console.error('Usage: node test/sample/make/main.ts FOLDER…\nThe folders hold the recorded files of publishers.')
  process.exit(2)
}
const sample = resolve(import.meta.dirname, '../../../sample')
const files = makeSample(...folders)
for (const [path, text] of files) {
  mkdirSync(dirname(resolve(sample, path)), { recursive: true })
  writeFileSync(resolve(sample, path), text)
}
const present = ['figures', 'prices'].flatMap((kind) =>
  readdirSync(resolve(sample, kind)).map((name) => `${kind}/${name}`),
)
const left = present.filter((path) => !files.has(path))
console.log(`${files.size} files written to ${sample}; left as they are: ${left.join(', ') || 'none'}`)
