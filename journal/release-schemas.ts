import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { avroSchemas } from '../contracts/avro.ts'

/**
 * Writes a new version of every topic whose schema has changed since its newest released one. Run as
 * `almanac schemas release` when a record schema was changed on purpose; the compatibility test judges the result.
 */
export function releaseSchemas(directory = new URL('../contracts/avro/', import.meta.url)): string[] {
  const idsFile = new URL('ids.json', directory)
  const ids = existsSync(idsFile) ? (JSON.parse(readFileSync(idsFile, 'utf8')) as Record<string, number>) : {}
  const written: string[] = []
  for (const [topic, schema] of Object.entries(avroSchemas)) {
    const versions = readdirSync(directory)
      .filter((name) => name.startsWith(`${topic}.`) && name.endsWith('.avsc'))
      .map((name) => Number(name.split('.')[1]))
    const newest = Math.max(0, ...versions)
    const text = `${JSON.stringify(schema, null, 2)}\n`
    if (newest > 0 && readFileSync(new URL(`${topic}.${newest}.avsc`, directory), 'utf8') === text) continue
    const name = `${topic}.${newest + 1}`
    ids[name] = Math.max(0, ...Object.values(ids)) + 1
    writeFileSync(new URL(`${name}.avsc`, directory), text)
    written.push(name)
  }
  writeFileSync(idsFile, `${JSON.stringify(ids, null, 2)}\n`)
  return written
}
