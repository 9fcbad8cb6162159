import { it } from 'vitest'
import { decodeEventCursor, encodeEventCursor } from '../../../domain/cursor.ts'
import { addresses, recorded, some, useService } from './recorded-service.ts'
import { Recorder, readAll } from './recorder.ts'

useService()

/** Streams that end in an error of the service. */
const refused: readonly [string, string, (recorder: Recorder) => Promise<unknown>][] = [
  [
    'refused-key',
    'A key that there is not',
    (recorder) => readAll(recorder.client({ ...addresses(), key: 'alm_test_nothing' }).events(recorder.tuning)),
  ],
  [
    'refused-plan',
    'The prices stream with a key of the plan free',
    (recorder) =>
      readAll(
        recorder.client({ ...addresses(), key: recorded.keys.free }).prices({ ...recorder.tuning, commodities: [] }),
      ),
  ],
  [
    'refused-filter',
    'A family that there is not',
    (recorder) =>
      readAll(
        recorder
          .client({ ...addresses(), key: recorded.keys.pro })
          .events({ ...recorder.tuning, families: ['weather'] }),
      ),
  ],
  [
    'refused-commodity',
    'A commodity that is not served',
    (recorder) =>
      readAll(
        recorder
          .client({ ...addresses(), key: recorded.keys.pro })
          .prices({ ...recorder.tuning, commodities: [{ commodity: 'XXX', currency: 'EUR' }] }),
      ),
  ],
  [
    'refused-currency',
    'A currency that is not served',
    (recorder) =>
      readAll(
        recorder
          .client({ ...addresses(), key: recorded.keys.pro })
          .prices({ ...recorder.tuning, fx: [{ base: 'XXX' }] }),
      ),
  ],
  [
    'refused-frame',
    'More values of a filter than are allowed',
    (recorder) =>
      readAll(
        recorder
          .client({ ...addresses(), key: recorded.keys.pro })
          .events({ ...recorder.tuning, countries: Array.from({ length: 65 }, () => 'USA') }),
      ),
  ],
  [
    'refused-frame-too-big',
    'A subscribe message beyond 64 KiB',
    (recorder) =>
      readAll(
        recorder
          .client({ ...addresses(), key: recorded.keys.pro })
          .events({ ...recorder.tuning, countries: ['x'.repeat(70_000)] }),
      ),
  ],
  [
    'refused-cursor-invalid',
    'A text that is no cursor',
    (recorder) =>
      readAll(
        recorder
          .client({ ...addresses(), key: recorded.keys.pro })
          .events({ ...recorder.tuning, cursor: 'v1.nothing' }),
      ),
  ],
  [
    'refused-handshake-426',
    'The port of REST instead of the one of the streams',
    (recorder) =>
      readAll(
        recorder
          .client({ ...addresses(), streamsUrl: recorded.service.base.replace('http', 'ws'), key: recorded.keys.pro })
          .events(recorder.tuning),
      ),
  ],
  [
    'refused-ticket-endpoint',
    'No ticket, because the origin is not allowed',
    (recorder) => {
      const client = recorder.client({
        ...addresses(),
        key: recorded.keys.pro,
        ticket: async () =>
          (await client.rest.events_create_stream_ticket({ origin: 'https://elsewhere.example' })).url,
      })
      return readAll(client.events(recorder.tuning))
    },
  ],
]
it.each(refused)('%s', async (name, about, run) => {
  const recorder = new Recorder()
  if (!(await run(recorder))) throw new Error('the stream did not fail')
  recorder.write(name, about, name === 'refused-cursor-invalid' ? { cursor: 'v1.nothing' } : {})
})

/** What differs from a cursor of the service. `journal` is made of that of the service. */
type Change = { readonly journal?: (own: string) => string; readonly sequence?: number }

async function cursorOf({ journal = (own) => own, sequence }: Change): Promise<string> {
  const client = new Recorder().client({ ...addresses(), key: recorded.keys.pro })
  const { next_cursor } = await client.rest.events_list({ limit: 1 })
  const known = decodeEventCursor(next_cursor)
  if (!known) throw new Error('no cursor')
  return encodeEventCursor({ ...known, sequence: sequence ?? known.sequence, journal: journal(known.journal) })
}

const lost: readonly [string, Change][] = [
  ['foreign', { journal: () => '0'.repeat(26) }],
  ['superseded', { journal: (own) => `${own}/of-another-restore` }],
  ['ahead', { sequence: 9_000_000 }],
]
it.each(lost)('a cursor that is %s, fatal and resumed', async (name, change) => {
  const cursor = await cursorOf(change)
  const fatal = new Recorder()
  await readAll(fatal.client({ ...addresses(), key: recorded.keys.pro }).events({ ...fatal.tuning, ...some, cursor }))
  fatal.write(`cursor-${name}-fatal`, `A cursor that is ${name} ends the stream`, { cursor })
  const resumed = new Recorder()
  const stream = resumed
    .client({ ...addresses(), key: recorded.keys.pro })
    .events({ ...resumed.tuning, ...some, cursor, onLostPlace: 'resume' })
  void readAll(stream)
  await resumed.sees('"caught_up"')
  stream.stop()
  resumed.write(`cursor-${name}-resumed`, `A cursor that is ${name}, and the stream goes on where the server says`, {
    cursor,
    on_lost_place: 'resume',
  })
})
