// Every value published for each quarter of US GDP, null where one was withdrawn, as a table in SQLite. Runs until Ctrl-C, with --once until caught up.
import { DatabaseSync } from 'node:sqlite'
import { Almanac } from 'almanac-client'

/** Returns the rows of an event. Pure: the same events always give the same table. */
const rows = ({ subject, data }) =>
  subject.startsWith('USA/gdp/') ? [[data.period, data.released_on, data.value ?? null]] : []

const db = new DatabaseSync('gdp-revisions.db')
db.exec(`
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS revisions (period TEXT, released_on TEXT, value TEXT, PRIMARY KEY (period, released_on));
  CREATE TABLE IF NOT EXISTS position (only INTEGER PRIMARY KEY CHECK (only = 1), cursor TEXT);
  INSERT OR IGNORE INTO position VALUES (1, 'earliest');
`)
const insert = db.prepare('REPLACE INTO revisions VALUES (?, ?, ?)')
const move = db.prepare('UPDATE position SET cursor = ? WHERE cursor = ?')
let { cursor: position } = db.prepare('SELECT cursor FROM position').get()

const almanac = new Almanac({ key: process.env.ALMANAC_KEY })
const stream = almanac.events({ countries: ['USA'], families: ['output'], cursor: position })
for await (const { items, cursor, isCaughtUp } of stream.batches()) {
  db.exec('BEGIN IMMEDIATE') // One transaction: the rows and the position behind them.
  if (move.run(cursor, position).changes === 0) throw new Error('another process writes this table')
  for (const event of items) for (const row of rows(event)) insert.run(...row)
  db.exec('COMMIT')
  position = cursor
  if (isCaughtUp && process.argv.includes('--once')) break
}
