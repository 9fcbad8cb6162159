import { expect, it } from 'vitest'
import type { HttpAnswer } from '../../../ingest/fetch/http.ts'
import { pagesFrom } from '../../../ingest/fetch/pages.ts'

const answer = (text: string): HttpAnswer => ({ bytes: Buffer.from(text), url: 'https://example.org/' })
const pagesRead = async (text: (page: number) => string): Promise<number> => {
  let count = 0
  for await (const _ of pagesFrom(
    async (page) => answer(text(page)),
    'pages',
    (pages) => pages,
  ))
    count++
  return count
}
const rows = '{"date":"2020"},'.repeat(1_000)

it('asks for as many pages as an answer begins by saying', async () => {
  expect(await pagesRead((page) => `[{"page":${page},"pages":3,"per_page":"50"},[${rows}]]`)).toBe(3)
  expect(await pagesRead(() => '[{"message":[{"id":"120"}]}]')).toBe(1)
})

it('says that it would miss pages, or that there are too many', async () => {
  await expect(pagesRead(() => `[${rows}{"pages":3}]`)).rejects.toMatchObject({ reason: 'malformed_document' })
  await expect(pagesRead((page) => `[{"page":${page},"pages":999999999}]`)).rejects.toMatchObject({
    reason: 'too_many_pages',
  })
})

it.each([
  ['the one before it', [1, 2, 2]],
  ['an earlier one', [1, 2, 1]],
])('says that a page repeats %s, because the rows of its own would be missed', async (_, pages) => {
  const got = pagesRead((page) => `[{"page":${pages[page - 1]},"pages":3},[${rows}]]`)
  await expect(got).rejects.toMatchObject({ reason: 'malformed_document' })
})
