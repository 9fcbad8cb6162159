/** Writes the generated files of both clients: `npm run clients:generate`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { artifacts, clientsFolder } from './artifacts.ts'

for (const [path, text] of artifacts()) {
  const file = join(clientsFolder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
