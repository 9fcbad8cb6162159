import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What becomes of one INSERT:
 * - `lands`: stored and answered
 * - `never_arrives`: the connection is cut, and nothing else happens
 * - `answer_lost`: stored, and the connection is cut before the answer
 * - `killed_in_place`: the token is noted, the rows are not stored, the connection is cut: what a server leaves behind that
 *   is killed while it renames the part into place
 * - `runs_on`: the connection is cut; it is listed as running, and is stored when it has been seen there twice
 * - `held_up`: the connection is cut; it arrives right after the next INSERT that is stored
 * - `vanishes`: answered with success under a token never seen before, and not stored
 */
export type Fate = 'lands' | 'never_arrives' | 'answer_lost' | 'killed_in_place' | 'runs_on' | 'held_up' | 'vanishes'

export type StandIn = {
  readonly url: string
  /** Outcomes of the INSERTs to come, in order; after them INSERTs land. */
  readonly fates: Fate[]
  /** Offsets as stored, in order of storing; what is written twice is there twice. */
  readonly offsets: number[]
  /** Tokens of the INSERTs as they came. */
  readonly tokens: string[]
  /** Number of requests that were no INSERT. */
  queries(): number
  close(): Promise<void>
}

/** A ClickHouse server as far as writing a block goes: deduplication by token, running queries, a watermark. */
export async function startStandIn(): Promise<StandIn> {
  const fates: Fate[] = []
  const offsets: number[] = []
  const tokens: string[] = []
  const noted = new Set<string>()
  const running: { token: string; looks: number; readonly land: () => void }[] = []
  const heldUp: (() => void)[] = []
  let queries = 0

  const answerQuery = (sql: string, params: URLSearchParams, answer: ServerResponse) => {
    queries++
    if (sql.includes('system.processes')) {
      const mine = running.filter(({ token }) => token === params.get('param_token'))
      for (const insert of mine) if (++insert.looks > 2) insert.land()
      answer.end(`{"running":"${mine.filter(({ looks }) => looks <= 2).length}"}\n`)
      return
    }
    const after = Number(params.get('param_after'))
    const found = offsets.filter((offset) => offset >= after)
    answer.end(`{"offset":"${found.length > 0 ? Math.max(...found) : 0}","rows":"${found.length}"}\n`)
  }

  const server = createServer(async (asked, answer) => {
    const body = Buffer.concat(await Array.fromAsync(asked as AsyncIterable<Buffer>)).toString()
    const params = new URL(asked.url ?? '', 'http://stand-in').searchParams
    const sql = params.get('query') ?? body
    if (!sql.trimStart().startsWith('INSERT')) {
      answerQuery(sql, params, answer)
      return
    }
    const token = params.get('insert_deduplication_token') ?? ''
    tokens.push(token)
    const store = () => {
      if (noted.has(token)) return
      noted.add(token)
      const lines = body.trimEnd().split('\n')
      offsets.push(...lines.map((line) => Number((JSON.parse(line) as unknown[])[1])))
      for (const arrive of heldUp.splice(0)) arrive()
    }
    const fate = fates.shift() ?? 'lands'
    if (fate === 'lands' || fate === 'answer_lost') store()
    if (fate === 'killed_in_place') noted.add(token)
    if (fate === 'held_up') heldUp.push(store)
    if (fate === 'runs_on') running.push({ token, looks: 0, land: store })
    if (fate === 'lands' || fate === 'vanishes') answer.end()
    else asked.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fates,
    offsets,
    tokens,
    queries: () => queries,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
