import { editDistance } from '../base/nearest.ts'
import type { SearchMatch } from '../contracts/search.ts'

/** Reading of a text that is searched for: which words it has, and what the words mean. */

/** Letters that Unicode does not decompose into a plain letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', ı: 'i', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe' }

/** A word of a text. */
type Word = {
  readonly written: string
  /** In lower case, without accents. */
  readonly text: string
  /** Without the s of a plural, so that "rates" is "rate". */
  readonly stem: string
  readonly isCapitals: boolean
}

/** Splits a text into words: letters and digits, in lower case and without accents. The points of U.S. are no breaks. */
export function wordsOf(text: string): Word[] {
  const joined = text.normalize('NFKC').replace(/(?<=(?<![\p{L}\p{N}])\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu, '')
  return (joined.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((written) => {
    const plain = written
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
    const word = plain.replace(/[ßıøłđæœ]/g, (letter) => plainLetters[letter] ?? letter)
    return { written, text: word, stem: stemOf(word), isCapitals: written === written.toUpperCase() }
  })
}

const SHORTEST_PLURAL = 4
const stemOf = (word: string): string =>
  word.length >= SHORTEST_PLURAL && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word

/** Words that say nothing of what is looked for. Some are also codes of countries, such as IN and PER. */
const fillers: ReadonlySet<string> = new Set(
  'a all an and are as at be by can current data do figure figures find for from get has how in is it latest many me much my no nor not now of on or per series show so statistics that the their this to try value vs was were what when which with'.split(
    ' ',
  ),
)

/** The words of a text without fillers, and their places in it. */
export type SearchedText = readonly Word[]

/**
 * The words that are searched for, each once. Fillers are left out, unless the text has nothing else. One in capitals is kept if other words
 * are not in capitals, because it is then a code: "GDP of Peru" and "Peru or PER", but not "GDP PER QUARTER".
 */
export function searchedText(text: string): SearchedText {
  const all = wordsOf(text)
  const words = all.filter((word, place) => all.findIndex((other) => other.text === word.text) === place)
  const isMixed = words.some(({ isCapitals }) => !isCapitals)
  const kept = words.filter((word) => !fillers.has(word.text) || (isMixed && word.isCapitals))
  return kept.length > 0 ? kept : words
}

/** What a term stands for. */
export type Concept = {
  readonly kind: 'country' | 'indicator' | 'frequency' | 'commodity' | 'currency' | 'topic'
  readonly code: string
}

/** A code, a name or a synonym of a concept. */
export type Term = { readonly concept: Concept; readonly isCode: boolean; readonly words: readonly Word[] }

export function termOf(concept: Concept, text: string, isCode = false): Term {
  const words = wordsOf(text)
  const telling = words.filter((word) => !fillers.has(word.text))
  return { concept, isCode, words: telling.length > 0 ? telling : words }
}

/** All terms, and the words that they have. */
export type Vocabulary = {
  readonly terms: readonly Term[]
  /** Each word once. */
  readonly words: readonly Word[]
  /** The words as they are written and without the s of a plural. */
  readonly spellings: ReadonlySet<string>
}

export function vocabularyOf(terms: readonly Term[]): Vocabulary {
  const words = [...new Map(terms.flatMap((term) => term.words).map((word) => [word.text, word])).values()]
  return { terms, words, spellings: new Set(words.flatMap(({ text, stem }) => [text, stem])) }
}

/** A concept that a text names: how surely, and by which of its words. */
export type WordMeaning = {
  readonly concept: Concept
  readonly matched: SearchMatch
  readonly words: ReadonlySet<number>
}

const order: Readonly<Record<SearchMatch, number>> = { code: 0, name: 0, spelling: 1, part: 2 }
/** Whether one way of matching is surer than another, below 0, or as sure, 0. A code and a name are equally sure. */
export const compareMatches = (a: SearchMatch, b: SearchMatch): number => order[a] - order[b]

/**
 * What the words of a text mean. A term is named by its `code` or whole `name` if all its words are in the text, in any order; by
 * another `spelling` if some of them have a typing error; by a `part` if only some of them are there, or their beginnings. A word
 * that some term has as it is written is not taken for a mistyped one.
 *
 * The longest term wins: a meaning is dropped if another one, as sure, has all its words and more, as "South Korea" has those of
 * Korea. It is also dropped if another one has its words and is surer, as Guinea is than Guinea-Bissau.
 */
export function meaningsOf(text: SearchedText, { terms, words, spellings }: Vocabulary): WordMeaning[] {
  const unknown = text.filter((word) => !spellings.has(word.text) && !spellings.has(word.stem))
  const mistyped = new Map(
    unknown.slice(0, MOST_MISTYPED).map((found) => {
      const meant = words.filter((wanted) => isMistyped(wanted, found)).map((wanted) => wanted.text)
      return [found, new Set(meant)]
    }),
  )
  const byConcept = Map.groupBy(
    terms.flatMap((term) => meaningOf(text, mistyped, term) ?? []),
    ({ concept }) => `${concept.kind} ${concept.code}`,
  )
  const found = [...byConcept.values()].flatMap(bestOf)
  return found.filter((one) => !found.some((other) => other !== one && outdoes(other, one)))
}

/**
 * The meaning of one concept: by its exact terms, with the words of all of them; by those that are mistyped, too, if they have more
 * words; else by the term of which most is there.
 */
function bestOf(ofConcept: readonly WordMeaning[]): WordMeaning[] {
  const whole = ofConcept.filter(({ matched }) => matched !== 'part')
  const exact = whole.filter(({ matched }) => matched !== 'spelling')
  const [first] = ofConcept.toSorted((a, b) => compareMatches(a.matched, b.matched) || b.words.size - a.words.size)
  if (!first || whole.length === 0) return first ? [first] : []
  const wordsOfAll = (some: readonly WordMeaning[]) => new Set(some.flatMap(({ words }) => [...words]))
  const [inExact, inWhole] = [wordsOfAll(exact), wordsOfAll(whole)]
  const { concept, matched } = first
  return [
    inWhole.size > inExact.size
      ? { concept, matched: 'spelling', words: inWhole }
      : { concept, matched, words: inExact },
  ]
}

function outdoes(other: WordMeaning, one: WordMeaning): boolean {
  const surer = compareMatches(other.matched, one.matched)
  if (surer > 0 || ![...one.words].every((word) => other.words.has(word))) return false
  return surer < 0 || other.words.size > one.words.size
}

function meaningOf(
  text: SearchedText,
  mistyped: ReadonlyMap<Word, ReadonlySet<string>>,
  { concept, isCode, words }: Term,
): WordMeaning | undefined {
  const places = (fits: (wanted: Word, found: Word) => boolean) =>
    words.map((wanted) => text.findIndex((found) => fits(wanted, found)))
  const exact = places(isSame)
  const there = exact.filter((place) => place >= 0)
  if (there.length === words.length) return { concept, matched: isCode ? 'code' : 'name', words: new Set(there) }
  if (isCode) return undefined
  const near = exact.map((place, at) =>
    place >= 0 ? place : text.findIndex((found) => mistyped.get(found)?.has(words[at]?.text ?? '')),
  )
  if (near.every((place) => place >= 0)) return { concept, matched: 'spelling', words: new Set(near) }
  const part = places((wanted, found) => isSame(wanted, found) || isBeginning(wanted, found)).filter(
    (place) => place >= 0,
  )
  return part.length > 0 ? { concept, matched: 'part', words: new Set(part) } : undefined
}

/** Most words of a text that are taken for mistyped ones, because each is compared with every known word. */
const MOST_MISTYPED = 5

const isSame = (a: Word, b: Word): boolean => a.stem === b.stem || a.text === b.text

/** Shortest word that may be mistyped, and shortest one with two errors. Another short word is easily a word of its own. */
const MISTYPED = 4
const TWICE_MISTYPED = 10

/** Whether a word is another one with a typing error: a letter too many, missing or wrong, or two that changed places. */
export function isMistyped(wanted: Pick<Word, 'text' | 'stem'>, found: Pick<Word, 'text' | 'stem'>): boolean {
  const most = wanted.text.length >= TWICE_MISTYPED ? 2 : 1
  if (wanted.text.length < MISTYPED) return false
  const near = (a: string, b: string) => Math.abs(a.length - b.length) <= most && editDistance(a, b) <= most
  if (near(wanted.text, found.text)) return true
  return (wanted.stem !== wanted.text || found.stem !== found.text) && near(wanted.stem, found.stem)
}

const SHORTEST_BEGINNING = 3
const isBeginning = (wanted: Word, found: Word): boolean =>
  found.text.length >= SHORTEST_BEGINNING && wanted.text.startsWith(found.text)
