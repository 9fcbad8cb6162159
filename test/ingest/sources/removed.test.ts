import { describe, expect, it } from 'vitest'
import { openSources } from '../../../ingest/sources/index.ts'
import { removedSource, removedSources } from '../../../ingest/sources/removed.ts'
import { documentText } from '../../support/documents-text.ts'

const sources = openSources()
const since = /^\S+ was removed in 0\.3\.0, because no recorded document proved that it was read correctly\. .*\.$/
const page = documentText('docs/official-sources.md').split('## No longer read\n')[1] ?? ''

describe('a source that was removed', () => {
  it.each(Object.keys(removedSources))('%s says in a line since when and why, and the page lists it', (name) => {
    expect(sources).not.toHaveProperty(name)
    expect(removedSource(name)).toMatch(since)
    expect(page).toContain(`| ${name} |`)
  })

  it('is none that is read, nor one that never was', () => {
    for (const name of [...Object.keys(sources), 'nobody']) expect(removedSource(name)).toBeUndefined()
  })
})
