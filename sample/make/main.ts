import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeSample } from './sample.ts'

/** `node sample/make/main.ts FOLDER` writes sample/figures and sample/prices anew from the recorded files in FOLDER. */
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node sample/make/main.ts FOLDER\nFOLDER holds the recorded files of publishers.')
  process.exit(2)
}
const sample = resolve(import.meta.dirname, '..')
const files = makeSample(folder)
for (const kind of ['figures', 'prices']) rmSync(resolve(sample, kind), { recursive: true, force: true })
for (const [path, text] of files) {
  mkdirSync(dirname(resolve(sample, path)), { recursive: true })
  writeFileSync(resolve(sample, path), text)
}
console.log(`${files.size} files written to ${sample}`)
