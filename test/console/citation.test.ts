import { expect, it } from 'vitest'
import { examples } from '../../api/examples.ts'
import { plotCitation, releaseCitation } from '../../console/browser/citation.js'
import { facts } from '../../console/facts.ts'
import type { ReleaseDetail } from '../../contracts/release-detail.ts'

const today = '2026-11-29'
const address = 'http://127.0.0.1:8080/?view=why&release=rel_1'

// Cast: the example is held to the contract by test/api/description.test.ts.
const computed = examples.releases_get?.body as ReleaseDetail

it('a release is cited with its publisher, figure, day, document and address', () => {
  const [input] = computed.inputs
  const { country, series } = computed
  const release = { ...computed, ...input, country, series, derivation: '', released_on: '2025-01-30' }
  expect(releaseCitation(release, facts, address, today)).toBe(
    `Australian Bureau of Statistics (2025). Merchandise exports, Australia, Apr 2026: 47\u202f064\u202f000\u202f000 AUD. As released on 30 Jan 2025, ${input?.release_id}. Document with the SHA-256 ${input?.provenance?.sha256}. Retrieved on 29 Nov 2026 from ${address}`,
  )
})

it('a computed release is cited as computed, with all its figures', () => {
  const text = releaseCitation(computed, facts, address, today)
  expect(text).toMatch(
    /^Almanac \(computed: trade from flows\) \(2026\)\. [^:]*, Australia, Apr 2026: exports [^,]+ AUD, imports [^,]+ AUD, and balance [^,]+ AUD\. As released on 10 Aug 2026/,
  )
  expect(releaseCitation({ ...computed, figures: {} }, facts, address, today)).toContain('Apr 2026: withdrawn.')
})

it('a plot is cited with the day on which it was known, which its address gets too', () => {
  const plot = { title: 'GDP: Germany', unit: 'EUR', sources: ['Source: A (free)', 'Source: B (free)'], day: undefined }
  expect(plotCitation(plot, 'http://x.test/?view=compare&series=DEU.gdp', today)).toBe(
    'GDP: Germany (EUR), as known on 29 Nov 2026. Source: A (free); Source: B (free). Retrieved on 29 Nov 2026 from http://x.test/?view=compare&series=DEU.gdp&as_of=2026-11-29',
  )
  expect(plotCitation({ ...plot, day: '2020-01-30' }, 'http://x.test/?as_of=2020-01-30', today)).toMatch(
    /as known on 30 Jan 2020\. .* from http:\/\/x\.test\/\?as_of=2020-01-30$/,
  )
})
