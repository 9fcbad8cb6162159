import type { RedisConnection, Script } from './connection.ts'

/**
 * Whose time decides. `redis`: the server's own, which all nodes share. `caller`: what the port is handed as `now`, for
 * tests with a time of their own.
 */
export type DecidingClock = 'redis' | 'caller'

/** What the ports share: the connection, and the rules of time. */
export type RedisStore = {
  readonly connection: Pick<RedisConnection, 'run' | 'call'>
  readonly clock: DecidingClock
  /** How long new streams wait once another server decides, ms. */
  readonly settleMs: number
}

/** The first argument of a script that goes by time: UTC ms, or empty for the server's own clock. */
export const asOf = ({ clock }: RedisStore, now: number): number | '' => (clock === 'caller' ? now : '')

/**
 * A script, after what all may use: `clock()`, the server's time in UTC ms; `run()`, the name of the server process that
 * runs this, by which a restart or a failover is known, and how many seconds it has been up; `exact(number)`, a number as
 * text without loss.
 */
export const script = (name: string, lua: string): Script => ({ name: `almanac_${name}`, lua: `${PRELUDE}\n${lua}` })

const PRELUDE = `
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function run()
  local info = redis.call('INFO', 'server')
  return string.match(info, 'run_id:(%x+)'), tonumber(string.match(info, 'uptime_in_seconds:(%d+)'))
end
-- Lua by itself writes 14 digits.
local function exact(number) return string.format('%.17g', number) end
`
