import { editDistance } from '../base/nearest.ts'
import type { Indicator } from '../contracts/indicators.ts'
import type { Frequency, Series } from '../contracts/records.ts'
import { type SearchKind, type SearchMatch, searchKinds } from '../contracts/search.ts'
import {
  type Concept,
  compareMatches,
  meaningsOf,
  type SearchedText,
  searchedText,
  type Vocabulary,
  type WordMeaning,
  wordsOf,
} from './search-words.ts'

/** An indicator of a country that has figures. */
export type SearchedCell = {
  readonly country: string
  readonly indicator: Indicator
  readonly frequencies: readonly Frequency[]
}

/** An id under which a series is found: its own, or one at its publisher. */
export type SearchedId = {
  readonly id: string
  /** The series; null if nothing of what the id names is on record. */
  readonly series: Series | null
  readonly countries: ReadonlySet<string> | '*'
  readonly indicator: Indicator
}

type SearchedIds = ReadonlyMap<string, readonly SearchedId[]>

/** What a search knows. */
export type Searched = {
  readonly vocabulary: Vocabulary
  /** In the order in which equally good hits are shown. */
  readonly cells: readonly SearchedCell[]
  /** By how they may be written, in capitals. */
  readonly ids: SearchedIds
}

/** Something that was found. */
export type Found = {
  readonly kind: SearchKind
  readonly country?: string
  readonly indicator?: Indicator
  /** Code of the country, indicator, instrument or topic; a pair as XAU-EUR, figures as USA/cpi; the id that was found. */
  readonly code: string
  /** The id that was found; of series only. */
  readonly listed?: SearchedId
  readonly matched: SearchMatch
}

type Candidate = Found & {
  /** Places of the words that it explains. */
  readonly words: ReadonlySet<number>
  /** Whether the whole text is its code. */
  readonly isCode?: boolean
  /** Whether it has a country or an indicator that the text does not name. */
  readonly isFurther?: boolean
  /** Whether it is of figures that there are none of. */
  readonly hasNothing?: boolean
}

/**
 * Finds what a text may mean, best first:
 * 1. what the whole text is the code of;
 * 2. what explains more words of the text;
 * 3. what is named exactly, then what is spelled otherwise, then what is named in part;
 * 4. what has no country and no indicator that the text does not name;
 * 5. what has figures;
 * 6. figures, then indicators, series, countries, instruments and topics, each in the order of the catalogue.
 *
 * A country and an indicator in one text mean the figures of both, whether there are any or not. Either of them alone also finds
 * every cell of it that has figures.
 */
export function search(text: string, searched: Searched): { readonly found: Found[]; readonly unknownWords: string[] } {
  const words = searchedText(text)
  const all = meaningsOf(words, searched.vocabulary)
  const listed = idsIn(text, words, all, searched.ids)
  const meanings = all.filter((one) => !listed.some((id) => isInId(one, id)))
  const countries = meanings.filter(({ concept }) => concept.kind === 'country')
  const ids = listed.filter((id) => isOfOne(id.listed, countries))
  const candidates = [
    ...ids,
    ...cellsOf(meanings, ids, searched.cells),
    ...meanings.flatMap((meaning) => alone(meaning, words.length)),
    ...pairsOf(meanings),
  ]
  const explained = new Set(candidates.flatMap((one) => [...one.words]))
  const unknownWords = words.flatMap(({ written }, place) => (explained.has(place) ? [] : written))
  return { found: candidates.sort(compareCandidates), unknownWords }
}

/** Whether a meaning is made of pieces of an id, as the beginning of unemployment is of UNE_RT_M, and Samoa of WS_LONG_CPI. */
const isInId = ({ words, matched }: WordMeaning, id: FoundId): boolean =>
  [...words].every((place) => id.words.has(place)) && (words.size < id.words.size || matched === 'part')

const compareCandidates = (a: Candidate, b: Candidate): number =>
  Number(b.isCode ?? false) - Number(a.isCode ?? false) ||
  b.words.size - a.words.size ||
  compareMatches(a.matched, b.matched) ||
  Number(a.isFurther ?? false) - Number(b.isFurther ?? false) ||
  Number(a.hasNothing ?? false) - Number(b.hasNothing ?? false) ||
  searchKinds.indexOf(a.kind) - searchKinds.indexOf(b.kind)

/** The hit of a concept by itself; none of a frequency. */
function alone({ concept, matched, words }: WordMeaning, length: number): Candidate[] {
  const { kind, code } = concept
  if (kind === 'frequency') return []
  const isCode = matched === 'code' && words.size === length
  const of = kind === 'country' ? { country: code } : kind === 'indicator' ? { indicator: indicatorOf(concept) } : {}
  return [{ kind, ...of, code, matched, words, isCode }]
}

// The cast: a term of this kind is made of an indicator's code.
const indicatorOf = ({ code }: Concept): Indicator => code as Indicator

/** The figures that a text means. */
function cellsOf(
  meanings: readonly WordMeaning[],
  ids: readonly FoundId[],
  cells: readonly SearchedCell[],
): Candidate[] {
  const of = (kind: Concept['kind']) => meanings.filter(({ concept }) => concept.kind === kind)
  const [countries, named, frequencies] = [of('country'), of('indicator'), of('frequency')]
  const nameOf = ({ country, indicator }: Pick<SearchedCell, 'country' | 'indicator'>) => `${country}/${indicator}`
  const withFigures = new Map(cells.map((cell) => [nameOf(cell), cell]))
  const made = new Map<string, Candidate>()
  const add = (
    cell: Pick<SearchedCell, 'country' | 'indicator'>,
    by: readonly Pick<WordMeaning, 'matched' | 'words'>[],
    isFurther: boolean,
  ) => {
    const name = nameOf(cell)
    if (made.has(name)) return
    const known = withFigures.get(name)
    const ofFrequency = frequencies.filter(({ concept }) => known?.frequencies.some((one) => one === concept.code))
    made.set(name, {
      kind: 'figures',
      country: cell.country,
      indicator: cell.indicator,
      code: name,
      matched: [...by.map(({ matched }) => matched)].sort(compareMatches).at(-1) ?? 'part',
      words: new Set([...by, ...ofFrequency].flatMap(({ words }) => [...words])),
      isFurther,
      hasNothing: known === undefined,
    })
  }
  for (const country of countries)
    for (const indicator of named)
      add({ country: country.concept.code, indicator: indicatorOf(indicator.concept) }, [country, indicator], false)
  for (const id of ids) {
    const { countries, indicator } = id.listed
    const [country, ...others] = countries === '*' ? [] : countries
    if (country && others.length === 0) add({ country, indicator }, [id], true)
  }
  for (const cell of cells) {
    const ofCountry = countries.find(({ concept }) => concept.code === cell.country)
    const ofIndicator = named.find(({ concept }) => concept.code === cell.indicator)
    if (ofCountry && named.length === 0) add(cell, [ofCountry], true)
    if (ofIndicator && countries.length === 0) add(cell, [ofIndicator], true)
  }
  return [...made.values()]
}

/** Prices that a text means by two instruments: a commodity in a currency, or the rate of two currencies as the text orders them. */
function pairsOf(meanings: readonly WordMeaning[]): Candidate[] {
  const sure = meanings.filter(({ matched }) => matched !== 'part')
  const currencies = sure.filter(({ concept }) => concept.kind === 'currency')
  const first = ({ words }: WordMeaning) => Math.min(...words)
  const pair = (base: WordMeaning, quote: WordMeaning): Candidate => ({
    kind: 'pair',
    code: `${base.concept.code}-${quote.concept.code}`,
    matched: [base.matched, quote.matched].sort(compareMatches).at(-1) ?? 'part',
    words: new Set([...base.words, ...quote.words]),
  })
  return [
    ...sure
      .filter(({ concept }) => concept.kind === 'commodity')
      .flatMap((base) => currencies.map((quote) => pair(base, quote))),
    ...currencies.flatMap((base) =>
      currencies.filter((quote) => first(base) < first(quote)).map((quote) => pair(base, quote)),
    ),
  ]
}

type FoundId = Candidate & { readonly listed: SearchedId }

/** Shortest id of which a mistyped one, or the beginning, is found. */
const SHORTEST_INEXACT = 5
/** Most pieces of a text that are taken for such, because each is compared with every id. */
const MOST_INEXACT = 3

/** The ids that stand in a text: as they are, else with a typing error, else by their beginning. */
function idsIn(text: string, words: SearchedText, meanings: readonly WordMeaning[], ids: SearchedIds): FoundId[] {
  const pieces = text.toUpperCase().split(/[\s,;"'“”]+/u)
  const known = new Set(meanings.filter(({ matched }) => matched !== 'part').flatMap((one) => [...one.words]))
  let inexact = 0
  return [...new Set(pieces)].flatMap((piece): FoundId[] => {
    const ofPiece = new Set(wordsOf(piece).map((word) => word.text))
    const own = new Set(words.flatMap((word, place) => (ofPiece.has(word.text) ? place : [])))
    if (own.size === 0) return []
    const foundAs = (matched: SearchMatch, found: readonly SearchedId[]) =>
      found.map((listed): FoundId => {
        const isCode = matched === 'code' && own.size === words.length
        return { kind: 'series', listed, code: listed.id, matched, words: own, isCode }
      })
    const exact = ids.get(piece)
    if (exact) return foundAs('code', exact)
    // Words that have a meaning are no mistyped ids.
    if (piece.length < SHORTEST_INEXACT || [...own].every((place) => known.has(place))) return []
    if (++inexact > MOST_INEXACT) return []
    const like = (fits: (id: string) => boolean) => [...ids].flatMap(([id, found]) => (fits(id) ? found : []))
    const mistyped = like((id) => Math.abs(id.length - piece.length) <= 1 && editDistance(id, piece) <= 1)
    return mistyped.length > 0
      ? foundAs('spelling', mistyped)
      : foundAs(
          'part',
          like((id) => id.startsWith(piece)),
        )
  })
}

/** Whether an id may be of one of the countries that a text names; true if it names none. */
const isOfOne = ({ countries }: SearchedId, named: readonly WordMeaning[]): boolean =>
  countries === '*' ||
  named.every(({ matched }) => matched === 'part') ||
  named.some(({ concept }) => countries.has(concept.code))
