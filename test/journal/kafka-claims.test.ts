import { once } from 'node:events'
import { expect, it } from 'vitest'
import { KafkaClaims } from '../../journal/kafka/claims.ts'
import { type KafkaClient, KafkaFailure } from '../../journal/kafka/client.ts'
import type { Ledger, LedgerClaimRow } from '../../journal/kafka/ledger.ts'
import { encodeBatch } from '../../journal/kafka/record-batch.ts'

const HEARTBEATS = 'heartbeats'

/** Answers at once, until it is stopped: then it takes no heartbeats, and commits nothing before it goes on. */
function nodeWithLedger() {
  const rows = new Map<string, LedgerClaimRow>()
  const open: (readonly [string, LedgerClaimRow])[] = []
  let stopped: PromiseWithResolvers<void> | undefined
  const client = {
    initProducer: async () => ({ producerId: 1n, epoch: 0 }),
    joinTransaction: async () => undefined,
    produce: async ({ topic }: { topic: string }) => {
      if (stopped && topic === HEARTBEATS) throw new KafkaFailure('unanswered', 'UNANSWERED', 'stopped')
      return 0
    },
    commitTransaction: async () => {
      await stopped?.promise
      for (const [name, row] of open.splice(0)) rows.set(name, row)
    },
    offsetOf: async () => 0,
    openLane: () => ({ fetch: () => new Promise(() => undefined), close: () => undefined }),
  }
  const ledger = {
    claim: async (name: string) => rows.get(name),
    claimPart: (name: string, row: LedgerClaimRow) => {
      open.push([name, row])
      return { address: { topic: 'ledger', partition: 0 }, batch: encodeBatch([], true) }
    },
  }
  return {
    rows,
    client: client as unknown as KafkaClient,
    ledger: ledger as unknown as Ledger,
    stop: () => {
      stopped = Promise.withResolvers()
    },
    goOn: () => {
      stopped?.resolve()
      stopped = undefined
    },
  }
}

it('a claim whose release is under way is not lost when its owner is heard of no more, unlike one that is held', async () => {
  const { rows, client, ledger, stop, goOn } = nodeWithLedger()
  const ours = { find: async () => undefined, heartbeatTopic: HEARTBEATS, prefix: '', journalId: 'test' }
  // Until the node is stopped nothing waits, so that no timer sees this expire too early.
  const claims = new KafkaClaims({ client, ledger, ...ours, expiryMs: 50, patienceMs: 10_000, releaseMs: 1_200 })
  const { signal } = new AbortController()
  const [held, released] = [await claims.claim('held', signal), await claims.claim('released', signal)]
  stop()
  const releasing = released.release()
  await once(held.lost, 'abort')
  expect(held.lost.reason).toMatchObject({ code: 'fenced', message: expect.stringContaining('not heard') })
  expect(released.lost.aborted).toBe(false)
  goOn()
  await releasing
  expect(released.lost.aborted).toBe(false)
  expect(rows.get('released')).toMatchObject({ epoch: released.epoch, owner: null })
  await claims.close()
})
