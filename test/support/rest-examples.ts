import { expect } from 'vitest'
import { examples } from '../../api/examples.ts'
import { run } from './document-snippets.ts'
import type { Snippet } from './documents-text.ts'

export const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split(/\n|(?<=\})(?=\{)/)
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** What the examples of docs/rest.md give. `shell` runs a snippet, and `read` reads a file that one has written. */
export async function restExamples(
  shell: (snippet: Snippet) => Promise<string>,
  read: (name: string) => Promise<string>,
): Promise<void> {
  await shell(run.key)
  const [signedIn] = jsonLines(await shell(run.basic))
  expect(signedIn).toMatchObject({ country: 'USA', base_value: '100' })
  const [ready, health] = jsonLines(await shell(run.ready))
  expect([ready, health]).toMatchObject([{ status: 'ready' }, { journal: 'ok' }])
  const [country, period] = jsonLines(await shell(run.missing))
  expect(country?.detail).toContain('Did you mean DEU (Germany)? cpi is published for AUS, CAN, ')
  expect(period?.detail).toMatch(/not published for 1900-01\. Published: months .* to .*\. Nearest: /)
  const [claim] = jsonLines(await shell(run.claim))
  // The reference shows the same answer.
  expect(claim).toEqual({ ...(examples.claims_verify?.body as object), as_of: expect.any(String) })
  const panel = (await shell(run.panel)).split('\r\n')
  expect(panel.slice(0, 2)).toEqual([
    'period,USA.cpi,USA.cpi (2010=100),USA.unemployment,DEU.cpi,DEU.unemployment',
    '2025-01,317.671,,4.0,136.484826,3.5',
  ])
  const [found, byId] = jsonLines(await shell(run.search))
  // The reference shows the same answer to two hits.
  const shown = examples.search?.body as { readonly hits?: readonly object[] } | undefined
  const [figures, indicator] = shown?.hits ?? []
  expect(found).toEqual({ ...shown, hits: [figures, indicator, expect.objectContaining({ kind: 'country' })] })
  expect(byId).toMatchObject({ hits: [{ kind: 'series', publishers_id: 'UNRATE', is_served: true }, {}] })
  const [history, vintages, known] = jsonLines(await shell(run.histories))
  expect(history).toMatchObject({
    observations: expect.arrayContaining([expect.objectContaining({ measure: 'cpi', period: '2025-01' })]),
  })
  expect(vintages).toMatchObject({
    vintages: expect.arrayContaining([expect.objectContaining({ value: '28255928000000', released_on: '2024-05-30' })]),
  })
  expect(known).toMatchObject({
    observations: expect.arrayContaining([expect.objectContaining({ period: '2024-Q1', value: '28284498000000' })]),
  })
  const [prints = '', matrix = ''] = (await shell(run.prints)).split(/(?<=\})(?=time,)/)
  expect(JSON.parse(prints)).toMatchObject({
    observations: expect.arrayContaining([expect.objectContaining({ period: '2024-Q1', value: '28284498000000' })]),
  })
  expect(matrix).toMatch(/^time,id,.*,2024-04-25,2024-05-30,.*\r\n2023-01-01,USA\.gdp\./)
  expect(await read('gdp-vintages.csv')).toContain('\r\n2024-01-01,2024-05-30,28255928000000,USA.gdp.')
  await shell(run.historyFile)
  const lines = (await read('inflation.csv')).trim().split('\r\n')
  expect(lines[0]).toBe(
    'country,measure,value,unit,transformation,period,series,source,base_period,base_value,seasonal_adjustment,annualization,released_on,released_on_basis',
  )
  expect(lines.length).toBeGreaterThan(200)
  const [year, quarters] = jsonLines(await shell(run.rates))
  expect(year?.observations).toHaveLength(12)
  expect(quarters).toMatchObject({
    observations: expect.arrayContaining([
      expect.objectContaining({ period: '2024-Q4', value: '0.224954135716', aggregation_method: 'avg' }),
    ]),
  })
  await shell(run.semicolons)
  const [header, ...rows] = (await read('prices.csv')).trim().split('\r\n')
  expect(header).toMatch(/^country;measure;value;unit;transformation;/)
  expect(rows.at(-1)).toMatch(/^DEU;cpi;\d+,\d+;percent;pc1;/)
  const catalogue = await shell(run.catalogue)
  expect(catalogue).toContain('"series":"USA.unemployment.M.FRED.UNRATE.percent.SA"')
  expect(catalogue).toContain('series,country,country_name,')
}
