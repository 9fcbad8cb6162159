import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import { testSeries } from '../support/releases.ts'
import { bearer, type World, world } from './support.ts'

const at = (day: string) => `${day}T09:00:00.000Z`

/** Index of made-up prices, revised, withdrawn, and printed twice on one day. */
export const index = testSeries({ country: 'DEU', base_period: '2015', base_value: '100' })
/** Made-up growth: a series with several figures. */
export const growth = testSeries({ country: 'DEU', indicator: 'gdp-growth', unit: 'percent', frequency: 'Q' })
export const growthId = `${growth.id}:year_over_year`

/** A service with these series, and what its other tests have. */
export async function worldWithVintages(): Promise<World> {
  const served = await world()
  const { releases } = served
  releases.accept(index, '2025-09', { value: '100.10' }, at('2025-10-10'))
  releases.accept(index, '2025-10', { value: '101' }, at('2025-11-10'))
  releases.accept(index, '2025-09', { value: '100.3' }, at('2025-11-10'))
  releases.accept(index, '2025-09', { value: '100.4' }, at('2025-11-10'))
  releases.accept(index, '2025-10', {}, at('2025-12-05'), { printed: null })
  releases.accept(index, '2025-11', { value: '102' }, at('2025-12-10'))
  releases.accept(index, '2025-10', { value: '101.5' }, at('2026-01-15'))
  const quarter = (value: string, quarterly: string) => ({ year_over_year: value, quarter_over_quarter: quarterly })
  releases.accept(growth, '2025-Q2', quarter('0.2', '-0.1'), at('2025-08-22'))
  releases.accept(growth, '2025-Q2', quarter('0.2', '-0.2'), at('2025-11-25'))
  return served
}

/** Asks an address of the surface. Its answers are not held to the contract of /v1, whose problems have another form. */
export const get = ({ app }: World, path: string, query: Readonly<Record<string, string>>, over: InjectOptions = {}) =>
  app.inject({ url: `${path}?${new URLSearchParams(query)}`, headers: bearer(), ...over })

/** The answer of an address below /fred as JSON. */
export async function json<T = Record<string, never>>(
  served: World,
  address: string,
  query: Readonly<Record<string, string>>,
): Promise<T> {
  const answer = await get(served, `/fred/${address}`, { ...query, file_type: 'json' })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<T>()
}

/** Status and message of a refused request. */
export async function refusal(
  served: World,
  address: string,
  query: Readonly<Record<string, string>>,
): Promise<{ status: number; message: string }> {
  const answer = await get(served, `/fred/${address}`, { ...query, file_type: 'json' })
  const { error_code, error_message, ...others } = answer.json()
  expect(others).toEqual({})
  expect(error_code).toBe(answer.statusCode)
  return { status: answer.statusCode, message: error_message }
}
