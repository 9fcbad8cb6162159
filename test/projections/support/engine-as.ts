import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Engine } from '../../../projections/store/engine.ts'
import { createFront } from '../../../projections/store/front.ts'
import { loadNative, type NativeConnection } from '../../../projections/store/native.ts'
import { quoteName, setStatement } from '../../../projections/store/request.ts'
import { createSlots } from '../../../projections/store/slots.ts'

/** What a user of a server has: statements that grant, and the settings of the profile with the most each may be. */
export type Rights = {
  readonly grants: readonly string[]
  readonly settings: readonly { readonly name: string; readonly value: string; readonly max?: string | undefined }[]
}

export type EngineAs = { readonly url: string; close(): Promise<void> }

/**
 * The engine on a directory behind the store's front, in this process, its one user being of those rights. chdb knows no
 * other user, takes users from a file only, and a process can open it on one directory at a time.
 */
export async function startEngineAs(path: string, rights: Rights): Promise<EngineAs> {
  const config = `${path}.xml`
  writeFileSync(config, usersConfig(rights))
  const native = loadNative()
  const options = [`--config-file=${config}`, `--users_config=${config}`, '--implicit_select=0']
  const first = native.CreateConnection(path, options)
  const inSession = async <T>(
    query: Parameters<Engine['run']>[0],
    work: (connection: NativeConnection) => Promise<T>,
  ) => {
    const connection = native.CreateConnection(path)
    try {
      const first = query.database === undefined ? [] : [`USE ${quoteName(query.database)}`]
      for (const sql of [...first, setStatement(query, 'engine-as')])
        await native.QueryAsyncConnection(connection, sql, 'Null')
      return await work(connection)
    } finally {
      native.CloseConnection(connection)
    }
  }
  const run: Engine['run'] = async (query) => {
    const { bytes, elapsed, rowsRead, bytesRead } = await inSession(query, (connection) =>
      native.QueryAsyncConnection(connection, query.sql, query.format),
    )
    return { bytes, elapsedSeconds: elapsed, rowsRead, bytesRead }
  }
  const engine: Engine = {
    run,
    async *stream(query, signal) {
      yield (await run(query, signal)).bytes
    },
    close: () => native.CloseConnection(first),
  }
  const parts = {
    engine,
    readerSlots: createSlots({ running: 4, waiting: 100, waitMs: 10_000 }),
    slots: createSlots({ running: 4, waiting: 100, waitMs: 10_000 }),
    limits: { insertBytes: 1e8, sqlBytes: 1e6, wholeAnswerBytes: 1e8, lingerMs: 100 },
    spoolDir: path,
    halt: new AbortController().signal,
  }
  const server = createFront(parts, { kind: 'tcp', password: undefined })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      engine.close()
    },
  }
}

const usersConfig = ({ grants, settings }: Rights): string => `
<clickhouse>
  <profiles><default>
    ${settings.map(({ name, value }) => `<${name}>${value}</${name}>`).join('')}
    <constraints>
      ${settings.map(({ name, max }) => (max === undefined ? '' : `<${name}><max>${max}</max></${name}>`)).join('')}
    </constraints>
  </default></profiles>
  <quotas><default></default></quotas>
  <users><default>
    <password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <grants>${grants.map((grant) => `<query>${grant}</query>`).join('')}</grants>
  </default></users>
</clickhouse>`
