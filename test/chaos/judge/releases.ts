import { countries, held, type Ledger, placeOf } from '../drive/figures.ts'
import type { Line, ReleaseValue } from '../journal-lines.ts'
import { firstDifference } from './differences.ts'

/**
 * Compares the topic `releases` with what the publishers printed. Each printed value must be there once, in the order in
 * which it was printed, each revision naming the release before it; derived figures must equal a recomputation in integers.
 */
export function judgeReleases(lines: readonly Line<ReleaseValue>[], ledger: Ledger): string[] {
  const published = new Map<string, Line<ReleaseValue>[]>()
  const derived = new Map<string, Readonly<Record<string, string>>>()
  for (const line of lines) {
    const { series, period, figures } = line.value
    const place = placeOf(series.country, series.indicator, period)
    if (series.derivation !== '') derived.set(place, figures)
    else published.set(place, [...(published.get(place) ?? []), line])
  }
  return [
    ...judgeOffsets(lines),
    ...(new Set(lines.map(({ value }) => value.release_id)).size === lines.length ? [] : ['a release id occurs twice']),
    ...judgeChains(published, ledger),
    ...firstDifference('derived figures', expectedDerived(ledger), derived),
  ]
}

/** Offsets of one partition must ascend; they need not be dense. */
export function judgeOffsets(lines: readonly Line<unknown>[]): string[] {
  const at = lines.findIndex(({ offset }, i) => i > 0 && offset <= (lines[i - 1]?.offset ?? -1))
  return at < 0 ? [] : [`${lines[at]?.topic}: offset ${lines[at]?.offset} follows ${lines[at - 1]?.offset}`]
}

function judgeChains(published: ReadonlyMap<string, readonly Line<ReleaseValue>[]>, ledger: Ledger): string[] {
  const values = new Map([...published].map(([place, chain]) => [place, chain.map(({ value }) => value.figures.value)]))
  const expected = new Map(
    [...ledger.chains].map(([place, chain]) => [place, chain.map((tenths) => held(place.split('/')[1] ?? '', tenths))]),
  )
  const broken = [...published].find(([, chain]) =>
    chain.some(({ value }, i) => value.revises !== (chain[i - 1]?.value.release_id ?? null)),
  )
  return [
    ...firstDifference('published figures', expected, values),
    ...(broken ? [`releases of ${broken[0]} do not each revise the one before`] : []),
  ]
}

/** Inflation from the index, trade from exports and imports, years from their twelve months. */
export function expectedDerived(ledger: Ledger): Map<string, Readonly<Record<string, string>>> {
  const derived = new Map<string, Readonly<Record<string, string>>>()
  for (const country of countries) {
    addInflation(derived, ledger, country)
    const exports = addYears(derived, ledger, country, 'trade-exports')
    const imports = addYears(derived, ledger, country, 'trade-imports')
    for (const [period, sold] of exports) {
      const bought = imports.get(period)
      if (bought === undefined) continue
      derived.set(placeOf(country, 'trade', period), {
        exports: held('trade', sold),
        imports: held('trade', bought),
        balance: held('trade', sold - bought),
      })
    }
  }
  return derived
}

type Derived = Map<string, Readonly<Record<string, string>>>

function addInflation(derived: Derived, ledger: Ledger, country: string): void {
  for (const period of ledger.months(country, 'cpi')) {
    const [year = '', month = ''] = period.split('-')
    const lastYear = String(Number(year) - 1)
    const before = month === '01' ? `${lastYear}-12` : `${year}-${String(Number(month) - 1).padStart(2, '0')}`
    const now = ledger.current(country, 'cpi', period)
    const [a, b, c] = [`${lastYear}-${month}`, before, `${lastYear}-12`].map((base) =>
      ledger.current(country, 'cpi', base),
    )
    if (now === undefined || a === undefined || b === undefined || c === undefined) continue
    derived.set(placeOf(country, 'inflation', period), {
      year_over_year: percent(now, a),
      month_over_month: percent(now, b),
      year_to_date: percent(now, c),
    })
  }
}

/** Adds the complete years of a flow, and returns its months and years, in tenths. */
function addYears(derived: Derived, ledger: Ledger, country: string, flow: string): Map<string, number> {
  const values = new Map<string, number>()
  const years = new Map<string, number[]>()
  for (const period of ledger.months(country, flow)) {
    const tenths = ledger.current(country, flow, period) ?? 0
    values.set(period, tenths)
    const year = period.slice(0, 4)
    years.set(year, [...(years.get(year) ?? []), tenths])
  }
  for (const [year, months] of years) {
    if (months.length < 12) continue
    const sum = months.reduce((total, tenths) => total + tenths, 0)
    values.set(year, sum)
    derived.set(placeOf(country, flow, year), { value: held(flow, sum) })
  }
  return values
}

/** Percent with one decimal, half away from zero. */
function percent(now: number, base: number): string {
  const change = BigInt(now - base) * 1000n
  const size = change < 0n ? -change : change
  const tenths = (2n * size + BigInt(base)) / (2n * BigInt(base))
  return `${change < 0n && tenths > 0n ? '-' : ''}${tenths / 10n}.${tenths % 10n}`
}
