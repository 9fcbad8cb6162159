import type { Time } from '../../base/time.ts'
import type { RedisConnection, Script } from './connection.ts'

/**
 * The clock that decides. `redis`: the server's own, which all nodes share. `caller`: the `now` that the port receives,
 * for tests that pass their own times.
 */
export type DecidingClock = 'redis' | 'caller'

/** The parts that all ports share: the connection, the clock that decides, and this process's own time. */
export type RedisStore = {
  readonly connection: Pick<RedisConnection, 'run' | 'call'>
  readonly clock: DecidingClock
  readonly time: Time
  /** How long new streams wait after another server has taken over, ms. */
  readonly settleMs: number
}

/** The first argument of a script that depends on time: UTC ms, or empty for the server's own clock. */
export const asOf = ({ clock }: RedisStore, now: number): number | '' => (clock === 'caller' ? now : '')

/**
 * A script that begins with three shared functions. `clock()` returns the server's time in UTC ms. `run()` returns the
 * run id of the server process, which changes at a restart or failover, and its uptime in seconds. `exact(number)`
 * returns a number as text without loss.
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
