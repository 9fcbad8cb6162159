import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mappedPublishers, openSources } from '../../../ingest/sources/index.ts'

const publishers = await Promise.all(Object.values(mappedPublishers).map((load) => load()))

it('docs/official-sources.md has the mapped datasets', () => {
  const text = readFileSync(new URL('../../../docs/official-sources.md', import.meta.url), 'utf8')
  const rows = text
    .split('## Mapped datasets\n')[1]
    ?.split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
  const expected = publishers.flatMap(({ name, datasets, rows: mapped }) =>
    Object.entries(datasets).map(([dataset, { checked }]) => {
      const indicators = (mapped.get(dataset) ?? []).flatMap(({ meaning }) => meaning?.indicator ?? [])
      const codes = [...new Set(indicators)].map((code) => `\`${code}\``).join(', ')
      return `| ${name.toLowerCase()} | \`${dataset}\` | ${codes} | ${checked} |`
    }),
  )
  expect(rows?.slice(1)).toEqual(expected)
})

it('the help says of each mapped dataset what it was checked against', async () => {
  const sources = Object.values(await openSources())
  for (const { name, datasets } of publishers) {
    const shown = sources.find((source) => source.name === name)?.datasets ?? {}
    for (const [dataset, { checked }] of Object.entries(datasets)) expect(shown[dataset]).toContain(checked)
  }
})
