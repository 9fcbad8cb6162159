import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { expect, it, onTestFinished } from 'vitest'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { ParserProcess, parsedApart } from '../../../ingest/parser/parser-process.ts'
import type { DocumentReport } from '../../../ingest/run.ts'
import { datasetRunner } from '../../../ingest/schedule/run-dataset.ts'
import { ecb } from '../../../ingest/sources/ecb/index.ts'
import { bearer, listen, world } from '../../api/support.ts'
import { openEmbeddedTestJournal } from '../../support/embedded-journal.ts'
import { serve } from '../../support/http-server.ts'
import { valuesOf } from '../../support/journal.ts'
import { workbook } from '../../support/workbook.ts'
import { newMemory } from '../support/memory.ts'

const MIB = 1024 * 1024

/** The parts of the node process that meet here: the schedule's runner and REST, in one process, on a publisher's bombs. */
it('bombs from a publisher fail no request, and cost this process no memory', async () => {
  const rates = readFileSync(new URL('../../fixtures/ecb/eurofxref-hist-90d.xml', import.meta.url))
  const bombs: Record<string, Uint8Array> = {
    // 24 KB; at some 60 KB each took its reader's memory, or half a minute of its time.
    'eurofxref-hist': zipSync({ 'x.csv': strToU8(`<r>${'<a/>'.repeat(5_000_000)}</r>`) }),
    'eurofxref-hist-90d': zipSync({ 'x.csv': strToU8(`Date,USD\n${',\n'.repeat(12_000_000)}`) }),
    EXR: workbook({ 'Monthly Prices': Array.from({ length: 100 }, () => Array(500).fill('x')) }),
  }
  const publisher = await serve((request, response) => {
    const dataset = Object.keys(bombs).find((name) => new RegExp(`/${name}[./?]`).test(request.url ?? ''))
    response.end(dataset ? bombs[dataset] : rates)
  })
  const { journal } = await openEmbeddedTestJournal()
  const parser = new ParserProcess()
  onTestFinished(() => parser.close())
  const acceptor = new Acceptor(journal)
  const reports: DocumentReport[] = []
  const run = datasetRunner({
    remembered: newMemory(),
    sources: parsedApart({ ecb: ecb({ address: publisher.address }) }, parser),
    journal,
    acceptor: () => acceptor,
    onDocument: (_, report) => reports.push(report),
    pauseMs: 0,
  })
  const port = await listen((await world()).app)
  const answers: { status: number; ms: number }[] = []
  let isOver = false
  const before = process.memoryUsage.rss()
  let most = before
  const asking = (async () => {
    while (!isOver) {
      const from = performance.now()
      const { status } = await fetch(`http://127.0.0.1:${port}/v1/economics/USA/trade/exports`, { headers: bearer() })
      answers.push({ status, ms: performance.now() - from })
      most = Math.max(most, process.memoryUsage.rss())
    }
  })()
  const context = { attempt: 1, signal: new AbortController().signal }
  const jobs = [...Object.keys(bombs), 'eurofxref-daily'].map((dataset) => run(`ecb/${dataset}`, context))
  expect(await Promise.all(jobs)).toEqual([
    '1 rejected',
    '1 rejected',
    '1 rejected',
    expect.stringMatching(/^\d+ prices/),
  ])
  isOver = true
  await asking
  expect(answers.length).toBeGreaterThan(50)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect((most - before) / MIB).toBeLessThan(256)
  expect(reports.map(({ outcome }) => outcome)).toEqual(['quarantined', 'quarantined', 'quarantined', 'accepted'])
  expect((await valuesOf(journal, 'quarantine')).map(({ reason }) => reason)).toEqual([
    'too_large',
    'too_large',
    'not_one_csv',
  ])
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  if (process.env.SHOW)
    console.log(
      'SHOWN',
      sorted.length,
      'p50',
      sorted[sorted.length >> 1],
      'p99',
      sorted[Math.floor(sorted.length * 0.99)],
      'max',
      sorted.at(-1),
      'rss grown MiB',
      (most - before) / MIB,
    )
})
