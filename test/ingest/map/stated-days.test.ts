import { expect, it } from 'vitest'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { openTestJournal, valuesOf } from '../../support/journal.ts'
import { altered, document } from '../sources/fixture.ts'
import { refusalBy } from './national.ts'

it.each([
  ['ons', 'ons/MGSX.json', /"releaseDate"\s*:\s*"[^"]*"/, '"releaseDate":"15 Juli 2021"', ''],
  ['ons', 'ons/MRET.csv', /("Release Date")(,"[^"]*")+/i, '$1,"soon","soon","soon"', ''],
  ['insee', 'insee/001769682.csv', /\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}/, '2025, hier', ''],
  ['singstat', 'singstat/M015651.json', /"dataLastUpdated"\s*:\s*"[^"]*"/, '"dataLastUpdated":"lately"', ''],
])('%s: %s with a day of release that is none is refused', (source, path, from, to, dataset) => {
  const text = new TextDecoder().decode(altered(path, '', '').bytes)
  expect(text).toMatch(from)
  expect(refusalBy(source, text.replace(from, to), dataset)).toMatchObject({ reason: 'bad_date' })
})

it('an older document whose day is written in words does not replace newer figures', async () => {
  const { journal } = await openTestJournal()
  const acceptor = new Acceptor(journal)
  const { ons } = await openSources()
  if (!ons) return expect.fail('there is no source ons')
  const text = new TextDecoder().decode(altered('ons/MGSX.json', '', '').bytes)
  const newer = document(text.replace(/"releaseDate"\s*:\s*"[^"]*"/, '"releaseDate":"2022-07-14T23:00:00.000Z"'))
  await acceptor.accept(newer, ons.parse(newer))
  const before = (await valuesOf(journal, 'releases')).length
  const older = document(
    text.replace(/"releaseDate"\s*:\s*"[^"]*"/, '"releaseDate":"15 July 2021"').replaceAll('"4.8"', '"4.6"'),
  )
  expect(await acceptor.accept(older, ons.parse(older))).toMatchObject({ revised: 0, rejected: 0 })
  const releases = await valuesOf(journal, 'releases')
  expect(releases.slice(before).every(({ released_on }) => released_on === '2021-07-15')).toBe(true)
})
