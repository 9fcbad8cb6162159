import type { Indicator } from '../../contracts/indicators.ts'
import type { Release, Series } from '../../contracts/records.ts'
import { isWithdrawn, type KnownRelease } from '../prints.ts'
import type { PeriodPrints } from './period-prints.ts'

/** A print from which a figure is computed. */
export type InputPrint = Pick<Release, 'release_id' | 'figures' | 'released_on' | 'released_on_basis'>

export type PrintedSeries = { readonly series: Series; readonly periods: Pick<PeriodPrints, 'get' | 'has' | 'periods'> }

/** The prints on record of all series that derivations read or have made, by series id. */
export type PrintsOnRecord = ReadonlyMap<string, PrintedSeries>

/** A figure that another is computed from. */
export type Need = { readonly indicator: Indicator; readonly period: string }

/** What comes of inputs. `figures` is null if one of them is withdrawn. */
export type Computed = {
  readonly figures: Readonly<Record<string, string>> | null
  readonly inputs: readonly InputPrint[]
}

/** A figure that can be derived: the prints of all of its inputs, and how it is computed from one print of each. */
export type DerivedFigure = {
  readonly series: Series
  readonly period: string
  readonly inputs: readonly (KnownRelease | undefined)[]
  /** Takes the inputs in the same order. Undefined while they are incomplete, or if no figures come of them. */
  compute(prints: readonly (InputPrint | undefined)[]): Computed | undefined
}

/**
 * A rule of derivation. It says which figures are computed, and how. When each of them was true follows from the dates
 * of its inputs' prints (`dated-prints.ts`), never from the order in which these arrived.
 */
export type Derivation = {
  readonly name: string
  reads(series: Series): boolean
  /** The figures without which that of `indicator` and `period` cannot be computed. */
  needs(indicator: Indicator, period: string): readonly Need[]
  /** The figures that use the figure of `series` and `period`. Those that cannot be complete may be left out. */
  figuresOf(prints: PrintsOnRecord, series: Series, period: string): DerivedFigure[]
}

/** What `compute` makes of inputs: nothing if one of them is withdrawn. */
export function computed(
  inputs: readonly InputPrint[],
  compute: () => Readonly<Record<string, string>> | undefined,
): Computed | undefined {
  if (inputs.some(isWithdrawn)) return { figures: null, inputs }
  const figures = compute()
  return figures && { figures, inputs }
}
