import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AvroSchema, areSameVersion, avroSchemas } from '../contracts/avro.ts'

/**
 * Writes a new schema version for every topic whose schema differs from its newest released version in more than its
 * `doc` texts. Run it as `almanac schemas release` after changing a record schema on purpose; the compatibility test
 * checks the result.
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
    if (newest > 0) {
      const released = readFileSync(new URL(`${topic}.${newest}.avsc`, directory), 'utf8')
      if (areSameVersion(JSON.parse(released) as AvroSchema, schema)) continue
    }
    const name = `${topic}.${newest + 1}`
    ids[name] = Math.max(0, ...Object.values(ids)) + 1
    writeFileSync(new URL(`${name}.avsc`, directory), `${JSON.stringify(schema, null, 2)}\n`)
    written.push(name)
  }
  writeFileSync(idsFile, `${JSON.stringify(ids, null, 2)}\n`)
  return written
}
