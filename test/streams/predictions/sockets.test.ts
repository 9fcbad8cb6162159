import { expect, it, onTestFinished } from 'vitest'
import { predictionsStream } from '../../../streams/predictions/index.ts'
import { openTestJournal } from '../../support/journal.ts'
import { startStreams } from '../support.ts'

it.each([
  ['a country that is none', { countries: ['usa'] }, 'filter_not_supported'],
  ['an indicator that is none', { indicators: ['toString'] }, 'filter_not_supported'],
  ['a member that is none', { families: ['output'] }, 'invalid_frame'],
])('the predictions stream refuses a subscribe message with %s', async (_, filter, code) => {
  const { journal } = await openTestJournal()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const stream = predictionsStream({ journal, signal: stop.signal })
  await stream.caughtUp
  const { connect } = await startStreams([stream])
  const client = connect('predictions')
  await client.seen('ready')
  client.send({ action: 'subscribe', ...filter })
  const end = await client.end()
  expect(end).toMatchObject({ error: { type: 'error', code, detail: expect.any(String) }, code: 4400, reason: code })
})
