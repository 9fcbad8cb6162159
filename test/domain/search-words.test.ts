import { describe, expect, it } from 'vitest'
import {
  type Concept,
  isMistyped,
  meaningsOf,
  searchedText,
  termOf,
  vocabularyOf,
  wordsOf,
} from '../../domain/search-words.ts'

const concept = (kind: Concept['kind'], code: string): Concept => ({ kind, code })
const vocabulary = vocabularyOf([
  termOf(concept('country', 'KOR'), 'Korea'),
  termOf(concept('country', 'KOR'), 'South Korea'),
  termOf(concept('country', 'PRK'), 'North Korea'),
  termOf(concept('country', 'DEU'), 'DEU', true),
  termOf(concept('country', 'DEU'), 'Germany'),
  termOf(concept('indicator', 'unemployment'), 'unemployment rate'),
  termOf(concept('indicator', 'unemployment'), 'jobless rate'),
  termOf(concept('indicator', 'cpi'), 'consumer prices'),
  termOf(concept('topic', 'prizes'), 'prizes of the year'),
])
/** What a text means, as `CODE matched: words`. */
const meant = (text: string) => {
  const words = searchedText(text)
  return meaningsOf(words, vocabulary).map(
    ({ concept: { code }, matched, words: places }) =>
      `${code} ${matched}: ${[...places]
        .toSorted()
        .map((place) => words[place]?.written)
        .join(' ')}`,
  )
}

describe('the words of a text', () => {
  const texts = (text: string) => wordsOf(text).map((word) => word.text)

  it('have no accents and no letters that Unicode does not decompose', () => {
    expect(texts('Türkiye, Łódź & Straße')).toEqual(['turkiye', 'lodz', 'strasse'])
    expect(texts('Việt')).toEqual(['viet'])
    expect(texts('øre đồng ısı œuvre')).toEqual(['ore', 'dong', 'isi', 'oeuvre'])
  })

  it('are read without the s of a plural, if they are long enough', () => {
    expect(wordsOf('jobs rates gas business sales').map(({ stem }) => stem)).toEqual([
      'job',
      'rate',
      'gas',
      'business',
      'sale',
    ])
  })
})

describe('the words that are searched for', () => {
  const kept = (text: string) => searchedText(text).map(({ written }) => written)

  it('are there once', () => {
    expect(kept('GDP gdp of Gdp Germany')).toEqual(['GDP', 'Germany'])
  })

  it('have fillers only in capitals beside others that are not, or if there is nothing else', () => {
    expect(kept('Peru or PER')).toEqual(['Peru', 'PER'])
    expect(kept('GDP PER QUARTER')).toEqual(['GDP', 'QUARTER'])
    expect(kept('GDP per quarter')).toEqual(['GDP', 'quarter'])
    expect(kept('what is it')).toEqual(['what', 'is', 'it'])
  })
})

describe('a text means', () => {
  it.each([
    ['Germany', ['DEU name: Germany']],
    ['DEU', ['DEU code: DEU']],
    // All terms that name one concept explain their words.
    ['deu germany', ['DEU code: deu germany']],
    ['unemployment jobless rates', ['unemployment name: unemployment jobless rates']],
    // The longest term wins, in any order of the words.
    ['Korea North', ['PRK name: Korea North']],
    ['south korea', ['KOR name: south korea']],
    ['korea', ['KOR name: korea']],
    // A code is never mistyped, and has no beginning.
    ['DEX', []],
    ['DE', []],
    ['Germani', ['DEU spelling: Germani']],
    // With the words that are mistyped, if there are more of them.
    ['DEU Germani', ['DEU spelling: DEU Germani']],
    ['jobles rate', ['unemployment spelling: jobles rate']],
    // A known word is not a mistyped other one.
    ['consumer prizes', ['cpi part: consumer', 'prizes part: prizes']],
    ['consumer pricez', ['cpi spelling: consumer pricez']],
    ['unem', ['unemployment part: unem']],
    ['jobless', ['unemployment part: jobless']],
    ['un', []],
    ['ployment', []],
  ])('%s', (text, expected) => {
    expect(meant(text)).toEqual(expected)
  })

  it('nothing by a mistyped word after five others', () => {
    expect(meant('xxxxx1 xxxxx2 xxxxx3 xxxxx4 Germani')).toEqual(['DEU spelling: Germani'])
    expect(meant('xxxxx1 xxxxx2 xxxxx3 xxxxx4 xxxxx5 Germani')).toEqual([])
  })
})

describe('a word is mistyped', () => {
  const word = (text: string) => wordsOf(text)[0] ?? expect.fail(text)
  it.each([
    // Four letters are enough for one error, ten for two.
    ['euro', 'eurp', true],
    ['yen', 'yem', false],
    ['employment', 'emploimant', true],
    ['inflation', 'inflotiun', false],
    // The s of a plural is no error.
    ['prices', 'pric', true],
    ['prices', 'prize', true],
    ['price', 'prizes', true],
    ['glass', 'gla', false],
  ])('%s as %s: %s', (wanted, found, expected) => {
    expect(isMistyped(word(wanted), word(found))).toBe(expected)
  })
})
