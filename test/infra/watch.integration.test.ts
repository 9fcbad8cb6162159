import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { watchOver } from '../../infra/services/watch.ts'
import { until } from '../support/journal.ts'

/** A program that is only there, and can end and come back. */
async function node() {
  let child: ChildProcess
  const service = {
    pid: 0,
    async start() {
      child = spawn('sleep', ['600'])
      await once(child, 'spawn')
      service.pid = child.pid as number
    },
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    stop: () => service.kill(),
  }
  await service.start()
  onTestFinished(() => void child.kill('SIGKILL'))
  return service
}

it('says of each node that ends whether the others go on, also of one that was started again', async () => {
  const [first, second, third] = [await node(), await node(), await node()]
  const told: [string, boolean][] = []
  onTestFinished(watchOver([{ name: 'kafka', services: [first, second, third] }], (...what) => told.push(what)))
  const tells = async (what: string, goesOn: boolean) => {
    await until('it is told', () => told.length > 0)
    expect(told.splice(0)).toEqual([[what, goesOn]])
  }
  await second.kill()
  await tells("kafka's node 2 has ended, 2 of 3 are left", true)
  await second.start()
  await third.kill()
  await tells("kafka's node 3 has ended, 2 of 3 are left", true)
  await second.kill()
  await tells("kafka's node 2 has ended, 1 of 3 are left", false)
})

it('says of a program alone that it has ended', async () => {
  const redis = await node()
  const told: [string, boolean][] = []
  onTestFinished(watchOver([{ name: 'redis', services: [redis] }], (...what) => told.push(what)))
  await redis.kill()
  await until('it is told', () => told.length > 0)
  expect(told).toEqual([['redis has ended', false]])
})
