import { KEY_VARIABLE } from '../../contracts/key-variable.ts'
import { snippetWith } from './documents-text.ts'

/** What becomes of each snippet of README and docs in `test/e2e/documents.e2e.test.ts`. */

/** Snippets that need more than a machine with the embedded default, and why they are not run here. */
export const notRun: readonly { readonly file: string; readonly part: string; readonly why: string }[] = [
  {
    file: 'README.md',
    part: 'npm ci && npm start',
    why: 'installs; the service of this test is started by the same command',
  },
  { file: 'README.md', part: 'npm ci && npm test', why: 'this run' },
  { file: 'README.md', part: 'flowchart LR', why: 'a drawing' },
  ...['npm pack --pack-destination', 'python3 -m venv', '.to_pandas()'].map((part) => ({
    file: 'docs/clients.md',
    part,
    why: 'packages of registries; test/clients/packages.e2e.test.ts packs, installs and runs the same',
  })),
  { file: 'docs/architecture.md', part: '┌─ journal/', why: 'a drawing' },
  {
    file: 'docs/clickhouse.md',
    part: 'CREATE DATABASE',
    why: 'a ClickHouse server; run by test/projections/server-users.integration.test.ts',
  },
  ...['ALMANAC_TABLES=pro', 'INSTALL iceberg', 'load_catalog', '/iceberg/v1/namespaces', 'arg_max'].map((part) => ({
    file: 'docs/iceberg.md',
    part,
    why: 'a service with an archive, and engines; test/e2e/tables.e2e.test.ts asks the same of them',
  })),
  {
    file: 'docs/distributed.md',
    part: 'npm run infra',
    why: 'Kafka, registry and Redis; run by test/infra/infra.e2e.test.ts',
  },
  ...['ALMANAC_DATA_DIR=./var/one npm start', 'ALMANAC_HTTP_PORT=8180', 'grep -i ratelimit:'].map((part) => ({
    file: 'docs/distributed.md',
    part,
    why: 'run by test/distributed/walk.test.ts',
  })),
  ...['# as often as you like', '# the rest; closes'].map((part) => ({
    file: 'docs/distributed.md',
    part,
    why: 'copies of tens of thousands of records; test/distributed/move.test.ts runs the same commands',
  })),
  { file: 'docs/distributed.md', part: 'kafka-acls.sh', why: 'programs of Kafka' },
  { file: 'docs/distributed.md', part: 'kafka-reassign-partitions.sh', why: 'programs of Kafka' },
  { file: 'docs/performance.md', part: 'npm run bench', why: 'minutes, on a quiet machine' },
  { file: 'docs/price-feed.md', part: '"symbol":"EUR-USD"', why: 'what a vendor sends' },
  { file: 'docs/prices.md', part: 'pandas.read_csv', why: 'needs pandas' },
  { file: 'docs/redis.md', part: 'appendonly yes', why: 'settings of Redis' },
  { file: 'docs/redis.md', part: 'min-replicas-to-write', why: 'settings of Redis' },
  { file: 'docs/rest.md', part: 'pandas.read_csv', why: 'needs pandas; the same answer is read as CSV above it' },
  { file: 'docs/rest.md', part: '"mcpServers"', why: 'a client’s configuration; read below' },
  { file: 'docs/schedule.md', part: '/jobs/', why: 'asks a publisher' },
  { file: 'docs/series-file.md', part: '# almanac: figures 1', why: 'a file with lines left out' },
  { file: 'docs/tutorial.md', part: 'npm ci && npm start', why: 'installs, as in the README' },
  {
    file: 'docs/streams.md',
    part: 'response.end(',
    why: 'two halves of a web application; each is run by itself below',
  },
  { file: 'docs/tls.md', part: 'reverse_proxy', why: 'a configuration of Caddy' },
  { file: 'docs/tls.md', part: 'proxy_pass', why: 'a configuration of nginx' },
]

/** Snippets that the tests below run, by what is in them. */
export const run = {
  readme: snippetWith('README.md', '# The latest consumer price index'),
  listen: snippetWith('README.md', '--input-type=module'),
  sql: snippetWith('docs/clickhouse.md', 'X-ClickHouse-Key'),
  calendar: snippetWith('docs/calendar.md', 'status=late'),
  cancel: snippetWith('docs/calendar.md', 'calendar cancel'),
  calendarEvents: snippetWith('docs/calendar.md', 'family=calendar'),
  feed: snippetWith('docs/calendar.md', 'calendar.ics'),
  catalogue: snippetWith('docs/rest.md', '/v1/catalog'),
  link: snippetWith('docs/where-a-figure-comes-from.md', "grep -i '^link:'"),
  release: snippetWith('docs/where-a-figure-comes-from.md', 'release=$('),
  key: snippetWith('docs/rest.md', `export ${KEY_VARIABLE}=`),
  ready: snippetWith('docs/rest.md', '/ready'),
  histories: snippetWith('docs/rest.md', '/observations?start='),
  historyFile: snippetWith('docs/rest.md', '-o inflation.csv'),
  missing: snippetWith('docs/rest.md', '/v1/economics/GER/cpi'),
  since: snippetWith('docs/rest.md', '/v1/events?start='),
  candles: snippetWith('docs/prices.md', '/candles?interval=1m'),
  ticks: snippetWith('docs/prices.md', '/ticks?start='),
  quarantine: snippetWith('docs/quarantine.md', 'quarantine list'),
  sbom: snippetWith('docs/supply-chain.md', 'npm run --silent sbom'),
  prices: snippetWith('docs/streams.md', '"commodities"'),
  events: snippetWith('docs/streams.md', '"economics.release.revised"'),
  predictions: snippetWith('docs/streams.md', '"indicators"'),
  follow: snippetWith('docs/streams.md', 'function connect'),
  tutorialKey: snippetWith('docs/tutorial.md', `export ${KEY_VARIABLE}=`),
  tutorialFigure: snippetWith('docs/tutorial.md', '/v1/economics/USA/cpi'),
  tutorialAnswer: snippetWith('docs/tutorial.md', '"base_period"'),
  tutorialPrices: snippetWith('docs/tutorial.md', '/v1/prices/stream'),
  tutorialPage: snippetWith('docs/tutorial.md', '> var/page.json'),
  tutorialReplay: snippetWith('docs/tutorial.md', '/v1/events/stream'),
  tutorialFile: snippetWith('docs/tutorial.md', 'cat > var/my-figures.csv'),
  tutorialRevised: snippetWith('docs/tutorial.md', 'sed -i.bak'),
  tutorialOwn: snippetWith('docs/tutorial.md', '/v1/economics/NZL/unemployment'),
} as const
