import { describe, expect, it } from 'vitest'
import { removedDataset, removedDatasets, removedSource, removedSources } from '../../../ingest/removed.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { documentText } from '../../support/documents-text.ts'

const sources = await openSources()
const since = /^\S+ was removed in 0\.3\.0, because no recorded document proved that it was read correctly\. .*\.$/
const rows = (documentText('docs/official-sources.md').split('## No longer read\n')[1] ?? '').split('\n')

describe('a source that was removed', () => {
  it.each([...removedSources.keys()])('%s says in a line since when and why, and the page lists it', (name) => {
    expect(sources).not.toHaveProperty(name)
    expect(removedSource(name)).toMatch(since)
    expect(removedSource(name.toUpperCase())).toBe(removedSource(name))
    expect(rows.filter((row) => row.startsWith(`| ${name} |`))).toHaveLength(1)
  })

  it('is none that is read, nor one that never was', () => {
    for (const name of [...Object.keys(sources), 'nobody', 'constructor']) expect(removedSource(name)).toBeUndefined()
  })
})

describe('a dataset that was removed', () => {
  it.each([...removedDatasets.keys()])('%s is refused with a line that says so, and the page lists it', async (job) => {
    const [name = '', dataset = ''] = job.split('/')
    expect(removedDataset(name, dataset)).toMatch(since)
    expect(removedDataset(name.toUpperCase(), dataset.toLowerCase())).toBe(removedDataset(name, dataset))
    expect(rows.filter((row) => row.startsWith(`| ${name} |`) && row.includes(`\`${dataset}\``))).toHaveLength(1)
    const request = { datasets: [dataset], now: () => new Date() }
    await expect(Array.fromAsync(sources[name]?.fetch(request) ?? [])).rejects.toMatchObject({
      reason: 'dataset_removed',
      message: removedDataset(name, dataset),
    })
  })

  it('is none that is read', () => {
    for (const [name, { datasets }] of Object.entries(sources))
      for (const dataset of Object.keys(datasets)) expect(removedDataset(name, dataset)).toBeUndefined()
  })
})
