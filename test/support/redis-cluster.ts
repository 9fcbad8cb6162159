import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePorts } from '../../infra/ports.ts'
import { type RunningRedis, startRedis } from '../../infra/services/redis.ts'
import { until } from './journal.ts'

/** A Redis Cluster of three masters that serves what it can when one is away. To be stopped by the caller. */
export async function startRedisCluster(
  dir: string,
): Promise<{ readonly servers: RunningRedis[]; readonly url: string }> {
  const ports = await freePorts(6)
  const nodes = [0, 1, 2].map((i) => ({ port: ports[i] as number, bus: ports[i + 3] as number }))
  const servers = await Promise.all(
    nodes.map(({ port, bus }) =>
      startRedis({
        dir: join(dir, String(port)),
        port,
        args: [
          '--cluster-enabled',
          'yes',
          '--cluster-port',
          String(bus),
          '--cluster-node-timeout',
          '1000',
          '--cluster-require-full-coverage',
          'no',
        ],
      }),
    ),
  )
  const admins = servers.map(({ url }) => new Redis(url))
  for (const [i, admin] of admins.entries()) {
    await admin.cluster('SET-CONFIG-EPOCH', i + 1)
    await admin.cluster('ADDSLOTSRANGE', Math.ceil((16_384 / 3) * i), Math.ceil((16_384 / 3) * (i + 1)) - 1)
    for (const { port, bus } of nodes.slice(0, i)) await admin.call('CLUSTER', 'MEET', '127.0.0.1', port, bus)
  }
  await until('the cluster is one', async () => {
    const infos = await Promise.all(admins.map((admin) => admin.cluster('INFO')))
    const healthy = ['cluster_state:ok', 'cluster_slots_ok:16384', 'cluster_known_nodes:3']
    return infos.every((info) => healthy.every((line) => info.includes(line)))
  })
  for (const admin of admins) admin.disconnect()
  return { servers, url: `redis+cluster://127.0.0.1:${nodes[0]?.port},127.0.0.1:${nodes[1]?.port}` }
}
