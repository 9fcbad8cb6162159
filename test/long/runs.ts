/** One run of the long tier: a part of the suite with a larger count than `npm test` takes. */
export type LongRun = {
  readonly name: string
  /** What is repeated, and how often; a cell of the table of results. */
  readonly proves: string
  /** Arguments of npm. */
  readonly npm: readonly string[]
  /** Settings of the tests, `ALMANAC_TEST_…`. `main.ts` adds the seed. */
  readonly env?: Readonly<Record<string, string>>
}

const tests = (...files: readonly string[]) => ['test', '--', ...files]

/** The quickest come first, so that a run that is interrupted has proven as much as possible. */
export const longRuns: readonly LongRun[] = [
  {
    name: 'recorded',
    proves: 'all recorded documents of publishers, where `../shared/data` has them, and all functions of the engine',
    npm: ['run', 'test:recorded'],
  },
  {
    name: 'cells',
    proves: 'all cells of the sample, each on every surface that has its newest figure',
    npm: tests('test/e2e/cells-agree.e2e.test.ts'),
    env: { ALMANAC_TEST_WHOLE: '1' },
  },
  {
    name: 'pages',
    proves: 'every page and view of the console in both widths, each by day and by night',
    npm: tests('test/e2e/console.e2e.test.ts', 'test/api/pages.integration.test.ts'),
    env: { ALMANAC_TEST_WHOLE: '1' },
  },
  {
    name: 'console-memory',
    proves: '30 minutes in one page of the console, view after view, without more memory, nodes or listeners',
    npm: tests('test/e2e/console-around.e2e.test.ts'),
    env: { ALMANAC_TEST_MINUTES: '30' },
  },
  {
    name: 'soak',
    proves: '30 minutes of figures, prices, reads and streams of a whole service without more memory',
    npm: tests('test/e2e/soak.e2e.test.ts'),
    env: { ALMANAC_TEST_SOAK_MINUTES: '30' },
  },
  {
    name: 'growth',
    proves: 'the work after a record in journals of 10,000 and of 100,000 releases, which is the same',
    npm: tests('test/growth.test.ts'),
    env: { ALMANAC_TEST_WHOLE: '1' },
  },
  {
    name: 'frames',
    proves: '1,000,000 odd frames of clients',
    npm: tests('test/streams/frames-fuzz.test.ts'),
    env: { ALMANAC_TEST_FRAMES: '1000000' },
  },
  {
    name: 'hostile-documents',
    proves: '5,000 hostile documents, none of which ends a process or is lost',
    npm: tests('test/ingest/parser/hostile.integration.test.ts'),
    env: { ALMANAC_TEST_DOCUMENTS: '5000' },
  },
  {
    name: 'interleaving',
    proves: '200,000 orders of reads, writes and subscriptions of the events stream',
    npm: tests('test/streams/events/interleaving.integration.test.ts'),
    env: { ALMANAC_TEST_RUNS: '200000' },
  },
  {
    name: 'world',
    proves: '1,000,000 steps of whole nodes on simulated time, and as many of access, in 500 seeds that each run twice',
    npm: tests('test/world/world.integration.test.ts', 'test/world/access-world.integration.test.ts'),
    env: { ALMANAC_TEST_SEEDS: '500' },
  },
  {
    name: 'reconnects',
    proves: '10,000 reconnections of events streams',
    npm: tests('test/streams/events-sockets.integration.test.ts'),
    env: { ALMANAC_TEST_RECONNECTS: '10000' },
  },
  {
    name: 'stopped-clients',
    proves: '1,000 clients that stop reading',
    npm: tests('test/streams/stopped-clients.integration.test.ts'),
    env: { ALMANAC_TEST_STOPPED: '1000' },
  },
  {
    name: 'hostile-sockets',
    proves: '20,000 hostile sockets, with times beside a bare server',
    npm: tests('test/e2e/hostile-sockets.e2e.test.ts'),
    env: { ALMANAC_TEST_HOSTILE: '20000' },
  },
  {
    name: 'damage',
    proves: '3,000 damaged copies of a journal, and 1,000 flipped bits of a backup',
    npm: tests('test/journal/damage.integration.test.ts', 'test/archive/backup.test.ts'),
    env: { ALMANAC_TEST_DAMAGES: '3000', ALMANAC_TEST_FLIPS: '1000' },
  },
  {
    name: 'large-documents',
    proves: 'messages of 200 MB in a small heap, and attacks of 60 MB on the parser',
    npm: tests(
      'test/ingest/read/formats/large.integration.test.ts',
      'test/ingest/parser/parser-process.integration.test.ts',
    ),
    env: { ALMANAC_TEST_MEGABYTES: '200', ALMANAC_TEST_ATTACKS: '5' },
  },
  {
    name: 'ownership',
    proves: '100 times as many histories of claims in the model',
    npm: tests('test/journal/ownership-model.test.ts'),
    env: { ALMANAC_TEST_HISTORIES: '100' },
  },
  {
    name: 'journal-kills',
    proves: 'processes that write to the embedded journal killed 300 times',
    npm: tests('test/journal/embedded-processes.integration.test.ts'),
    env: { ALMANAC_TEST_KILLS: '300' },
  },
  {
    name: 'kafka',
    proves: '100 histories of overlapping transactions and 1,000 lost requests and answers, on both clients of Kafka',
    npm: tests(
      'test/journal/kafka.integration.test.ts',
      'test/journal/kafka-platformatic.integration.test.ts',
      'test/journal/kafka-restart.integration.test.ts',
    ),
    env: { ALMANAC_TEST_WHOLE: '1', ALMANAC_TEST_HISTORIES: '100', ALMANAC_TEST_LOST: '1000' },
  },
  {
    name: 'kafka-copies',
    proves: '40 copies of a journal to Kafka that are interrupted',
    npm: tests('test/journal/kafka-copy.integration.test.ts'),
    env: { ALMANAC_TEST_COPIES: '40' },
  },
  {
    name: 'projection-kills',
    proves: 'projectors, stores and inserts killed 100 times each',
    npm: tests(
      'test/projections/projector-kill.integration.test.ts',
      'test/projections/store-kill.integration.test.ts',
      'test/projections/insert-kill.integration.test.ts',
    ),
    env: { ALMANAC_TEST_KILLS: '100' },
  },
  {
    name: 'archive-kills',
    proves: 'archiver, backup, restore and export killed 60 times each',
    npm: tests(
      'test/archive/kill.integration.test.ts',
      'test/archive/backup-kill.integration.test.ts',
      'test/cli/export.integration.test.ts',
    ),
    env: { ALMANAC_TEST_KILLS: '60' },
  },
  {
    name: 'user-projection-kills',
    proves: 'projections of users killed 200 times each',
    npm: tests('test/cli/project-kill.integration.test.ts', 'test/clients/example-kill.e2e.test.ts'),
    env: { ALMANAC_TEST_KILLS: '200' },
  },
  {
    name: 'clients',
    proves: '1,000 cuts of both clients, and 1,000,000 events at 1,000/s',
    npm: tests('test/clients/disconnects.e2e.test.ts', 'test/clients/memory.integration.test.ts'),
    env: { ALMANAC_TEST_CUTS: '1000', ALMANAC_TEST_EVENTS: '1000000', ALMANAC_TEST_RATE: '1000' },
  },
  {
    name: 'distributed',
    proves: 'the end-to-end suite on Kafka and Redis, and 100,000 decisions of access',
    npm: ['run', 'test:distributed'],
    env: { ALMANAC_TEST_WHOLE: '1', ALMANAC_TEST_DECISIONS: '100000' },
  },
  {
    name: 'service-kills',
    proves: 'processes of a service killed 100 times while figures, revisions and ticks arrive',
    npm: tests('test/e2e/kill.e2e.test.ts'),
    env: { ALMANAC_TEST_KILLS: '100' },
  },
  {
    name: 'archive-scale',
    proves: '1,000,000 records archived, verified, exported, backed up and imported',
    npm: tests('test/cli/archive-scale.integration.test.ts'),
    env: { ALMANAC_TEST_RECORDS: '1000000' },
  },
  {
    name: 'chaos',
    proves: '100 rounds of kills, stops and moved clocks, judged from outside',
    npm: tests('test/e2e/chaos.e2e.test.ts'),
    env: { ALMANAC_TEST_ROUNDS: '100' },
  },
]
