import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchVocabulary, withPairsApart } from '../../api/search-terms.ts'
import { countries } from '../../contracts/countries.ts'
import { indicators, isPublic, servedIndicators } from '../../contracts/indicators.ts'
import type { Frequency } from '../../contracts/records.ts'
import { bySpelling } from '../../domain/publishers-ids.ts'
import { type Found, type SearchedId, search } from '../../domain/search.ts'
import { isMistyped, searchedText, wordsOf } from '../../domain/search-words.ts'
import { testSeries } from '../support/releases.ts'

const vocabulary = searchVocabulary()
const { terms, spellings } = vocabulary
const cell = (
  country: string,
  indicator: (typeof servedIndicators)[number],
  frequencies: readonly Frequency[] = ['M'],
) => ({
  country,
  indicator,
  frequencies,
})
const all = servedIndicators.flatMap((indicator) =>
  countries
    .filter(({ alpha3 }) => isPublic(indicator, alpha3))
    .map(({ alpha3, name }) => ({ ...cell(alpha3, indicator), name })),
)
const few = [cell('DEU', 'cpi'), cell('DEU', 'gdp', ['Q']), cell('USA', 'cpi'), cell('USA', 'unemployment', ['M', 'Q'])]
const listed = (id: string, over: Partial<SearchedId> = {}): SearchedId => ({
  id,
  series: null,
  countries: new Set(['USA']),
  indicator: 'unemployment',
  ...over,
})
const ids = [
  listed('UNRATE', { series: testSeries({ dataset: 'UNRATE' }) }),
  listed('LNS14000000'),
  listed('GDP', { indicator: 'gdp' }),
  listed('DSD_LFS@DF_IALFS_UNE_M', { countries: '*' }),
  listed('SL.UEM.TOTL.ZS', { countries: '*' }),
]
const byId = bySpelling(ids)
const find = (text: string, cells = few) => search(withPairsApart(text), { vocabulary, cells, ids: byId })
const codes = (text: string) => find(text).found.map(({ kind, code }) => `${kind} ${code}`)

describe('a search finds', () => {
  it.each([
    ['jobless rate', ['indicator unemployment', 'figures USA/unemployment']],
    ['CPI Turkey', ['figures TUR/cpi', 'indicator cpi', 'country TUR']],
    ['harmonised prices', ['indicator cpi', 'topic hicp']],
    ['GDP per quarter Germany', ['figures DEU/gdp']],
    ['Deutschland', ['country DEU', 'figures DEU/cpi', 'figures DEU/gdp']],
    ['DE', ['country DEU']],
    ['Türkiye', ['country TUR']],
    ['German consumer prices', ['figures DEU/cpi']],
    ['What is the unemployment rate in the U.S.?', ['figures USA/unemployment']],
    ['UNRATE', ['series UNRATE', 'figures USA/unemployment']],
    ['lns14000000', ['series LNS14000000', 'figures USA/unemployment']],
    ['LNS1400000', ['series LNS14000000']],
    ['UNRATE unrate', ['series UNRATE', 'figures USA/unemployment']],
    ['LNS14', ['series LNS14000000']],
    ['DF_IALFS_UNE_M', ['series DSD_LFS@DF_IALFS_UNE_M']],
    ['GDP', ['indicator gdp', 'series GDP', 'figures DEU/gdp', 'figures USA/gdp']],
    ['gold', ['commodity XAU']],
    ['gold in euro', ['pair XAU-EUR', 'commodity XAU', 'currency EUR']],
    ['euro dollar', ['pair EUR-USD', 'currency EUR', 'currency USD']],
    ['dollar euro', ['pair USD-EUR', 'currency EUR', 'currency USD']],
    ['xauusd', ['pair XAU-USD', 'commodity XAU', 'currency USD']],
    ['Australian dollar', ['currency AUD']],
    ['South Korea', ['country KOR']],
    ['Guinea', ['country GIN']],
    ['growth of ross domestic product at constant prices germany', ['figures DEU/gdp-growth']],
    ['house prices', ['topic house-prices']],
    ['PER', ['country PER']],
  ])('%s, the best first', (text, expected) => {
    expect(codes(text).slice(0, expected.length)).toEqual(expected)
  })

  it('the figures of both, if a country and an indicator are named, and of no other', () => {
    const kinds = find('cpi of Germany and Japan').found.map(({ kind, code, matched }) => `${kind} ${code} ${matched}`)
    expect(kinds).toEqual([
      'figures DEU/cpi code',
      'figures JPN/cpi code',
      'indicator cpi code',
      'country DEU name',
      'country JPN name',
    ])
  })

  it('no id of another country than the one that is named', () => {
    expect(codes('GDP Germany')).not.toContain('series GDP')
    expect(codes('GDP USA')).toContain('series GDP')
    expect(codes('SL.UEM.TOTL.ZS Germany')).toContain('series SL.UEM.TOTL.ZS')
  })

  it('no piece of an id', () => {
    expect(codes('SL.UEM.TOTL.ZS')).toEqual(['series SL.UEM.TOTL.ZS'])
  })

  it('nothing for words that nothing has, and says which', () => {
    expect(find('monthly GDP Germany xyzzy').unknownWords).toEqual(['monthly', 'xyzzy'])
    expect(find('quarterly GDP Germany').unknownWords).toEqual([])
    expect(find('xyzzy')).toEqual({ found: [], unknownWords: ['xyzzy'] })
    expect(find('?!')).toEqual({ found: [], unknownWords: [] })
  })
})

it('says of each hit what it is of', () => {
  const [unrate] = ids
  expect(find('CPI Germani').found).toMatchObject([
    { kind: 'figures', country: 'DEU', indicator: 'cpi', code: 'DEU/cpi', matched: 'spelling' },
    { kind: 'indicator', indicator: 'cpi', code: 'cpi', matched: 'code' },
    { kind: 'country', country: 'DEU', code: 'DEU', matched: 'spelling' },
  ])
  expect(find('UNRATE').found[0]).toMatchObject({ kind: 'series', listed: unrate, code: 'UNRATE', matched: 'code' })
  expect(find('gold eurro').found).toMatchObject([
    { kind: 'pair', code: 'XAU-EUR', matched: 'spelling' },
    { kind: 'commodity', code: 'XAU', matched: 'name' },
    { kind: 'currency', code: 'EUR', matched: 'spelling' },
  ])
})

describe('an id in a text', () => {
  const own = bySpelling([
    listed('WS_LONG_CPI', { indicator: 'cpi', countries: '*' }),
    listed('JOBLESS9'),
    listed('TWO', { countries: new Set(['USA', 'DEU']) }),
    listed('EXACT1'),
    listed('EXACT12'),
    listed('QRSTUVW9'),
  ])
  const found = (text: string) =>
    search(text, { vocabulary, cells: few, ids: own }).found.map(
      ({ kind, code, matched }) => `${kind} ${code} ${matched}`,
    )

  it.each([
    // Samoa's code and the words of an index are pieces of the id.
    ['WS_LONG_CPI', ['series WS_LONG_CPI code']],
    // Figures follow from an id of one country.
    ['TWO', ['series TWO code']],
    ['EXACT1', ['series EXACT1 code', 'figures USA/unemployment code']],
    // One typing error, where no id is exact; and its beginning, where there is no error.
    ['EXECT1', ['series EXACT1 spelling', 'figures USA/unemployment spelling']],
    ['EXACT', ['series EXACT1 spelling', 'figures USA/unemployment spelling']],
    ['QRSTU', ['series QRSTUVW9 part', 'figures USA/unemployment part']],
    ['EXAC', []],
    // A word with a meaning is no mistyped id.
    ['jobless', ['indicator unemployment name', 'figures USA/unemployment name']],
    // Three pieces are compared with all ids.
    ['QQQQ1 QQQQ2 EXECT1', ['series EXACT1 spelling', 'figures USA/unemployment spelling']],
    ['QQQQ1 QQQQ2 QQQQ3 EXECT1', []],
    ['"EXACT1", "TWO"', ['series EXACT1 code', 'series TWO code', 'figures USA/unemployment code']],
    // Germany is named in part only, which does not rule out an id of another country.
    [
      'EXACT1 Germ',
      [
        'series EXACT1 code',
        'figures USA/unemployment code',
        'country DEU part',
        'figures DEU/cpi part',
        'figures DEU/gdp part',
      ],
    ],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })
})

it('a frequency has no hit of its own, and names figures that have it among others', () => {
  expect(find('quarterly')).toEqual({ found: [], unknownWords: ['quarterly'] })
  expect(find('quarterly unemployment USA').unknownWords).toEqual([])
  expect(find('annual unemployment USA').unknownWords).toEqual(['annual'])
})

describe('a search', () => {
  const ownCells = fc.constantFrom(...all)
  const nameOf = ({ indicator, name }: (typeof all)[number]) => `${indicators[indicator].summary} (${name})`
  const isOf =
    ({ country, indicator }: (typeof all)[number]) =>
    (hit: Found | undefined) =>
      hit?.kind === 'figures' && hit.country === country && hit.indicator === indicator

  it('puts what the whole text is the code of before everything else', () => {
    const known = [
      ...terms
        .filter(({ isCode }) => isCode)
        .map(({ concept, words }) => [concept.kind, concept.code, words.map(({ text }) => text).join(' ')] as const),
      ...ids.map(({ id }) => ['series', id, id] as const),
    ]
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.boolean(), ([kind, code, text], isUpper) => {
        const written = isUpper ? text.toUpperCase() : text
        const same = known.filter((other) => other[2].toUpperCase() === text.toUpperCase())
        const place = find(written).found.findIndex((hit) => hit.kind === kind && hit.code === code)
        expect(place, written).toBeGreaterThanOrEqual(0)
        expect(place, written).toBeLessThan(same.length)
      }),
    )
  })

  it('finds figures first by their own name, in any order of its words', () => {
    fc.assert(
      fc.property(ownCells, fc.boolean(), (own, isReversed) => {
        const name = nameOf(own)
        const text = isReversed ? name.split(' ').toReversed().join(' ') : name
        expect(isOf(own)(find(text, all).found[0]), text).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('finds figures by their name with a typing error', () => {
    const letter = fc.constantFrom(...'aeinrstxz')
    fc.assert(
      fc.property(
        ownCells,
        fc.nat(),
        fc.nat(),
        letter,
        fc.constantFrom('drop', 'add', 'change', 'swap'),
        (own, word, at, other, error) => {
          const words = wordsOf(nameOf(own)).map(({ text }) => text)
          const places = words.flatMap((text, place) => (text.length > 4 ? place : []))
          const place = places[word % places.length] ?? 0
          const text = words[place] ?? ''
          const i = at % (text.length - 1)
          const mistyped = {
            drop: text.slice(0, i) + text.slice(i + 1),
            add: text.slice(0, i) + other + text.slice(i),
            change: text.slice(0, i) + other + text.slice(i + 1),
            swap: text.slice(0, i) + text[i + 1] + text[i] + text.slice(i + 2),
          }[error]
          const [read] = searchedText(mistyped)
          // An error may make another word that is known. Then it is that word.
          fc.pre(read !== undefined && !spellings.has(read.text) && !spellings.has(read.stem))
          const typed = words.with(place, mistyped).join(' ')
          expect(find(typed, all).found.some(isOf(own)), typed).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const { found, unknownWords } = find(text)
        const words = searchedText(withPairsApart(text)).map(({ written }) => written)
        expect(unknownWords.every((word) => words.includes(word))).toBe(true)
        if (words.length === 0) expect(found).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
})

it('a word is another one mistyped by one letter, if it is long enough', () => {
  const word = (text: string) => wordsOf(text)[0] ?? expect.fail(text)
  expect(isMistyped(word('Germany'), word('Grmany'))).toBe(true)
  expect(isMistyped(word('Germany'), word('Gremany'))).toBe(true)
  expect(isMistyped(word('Germany'), word('Gremamy'))).toBe(false)
  expect(isMistyped(word('unemployment'), word('unemplyomet'))).toBe(true)
  expect(isMistyped(word('prices'), word('pricess'))).toBe(true)
  expect(isMistyped(word('GDP'), word('GBP'))).toBe(false)
})
