import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, caching, etagOf } from '../../api/answer.ts'
import { KeptAnswers } from '../../api/kept-answers.ts'

describe('kept answers', () => {
  let newest: number
  let projected: number
  let made: string[]
  let ask: (question: object) => Promise<Answer>
  let fails: boolean
  const ofKind = (kept: KeptAnswers, kind: string, size = 1) =>
    kept.keeping(kind, async (question: object) => {
      made.push(`${kind} ${JSON.stringify(question)}`)
      await Promise.resolve()
      if (fails) throw new Error('away')
      const body = `${kind} ${JSON.stringify(question)} at ${projected}`.padEnd(size)
      return { body, etag: etagOf(body), cacheControl: caching.latest }
    })
  let kept: KeptAnswers

  beforeEach(() => {
    newest = 7
    projected = 7
    made = []
    fails = false
    kept = new KeptAnswers({ newestRelease: () => newest, history: { watermark: async () => projected } })
    ask = async (question) => ofKind(kept, 'panel')(question)
  })

  it('are made once for each question until there is a new release, also if several ask at once', async () => {
    const [one, two] = await Promise.all([ask({ country: 'USA' }), ask({ country: 'USA' })])
    expect(two).toBe(one)
    expect(await ask({ country: 'USA' })).toBe(one)
    expect((await ask({ country: 'DEU' })).body).toContain('DEU')
    expect((await ofKind(kept, 'other')({ country: 'USA' })).body).toContain('other')
    expect(made).toHaveLength(3)
    newest = projected = 8
    expect((await ask({ country: 'USA' })).body).toBe('panel {"country":"USA"} at 8')
  })

  it('are not kept while the read models lack a release that is in memory', async () => {
    newest = 8
    expect((await ask({})).body).toContain('at 7')
    projected = 8
    expect((await ask({})).body).toContain('at 8')
    await ask({})
    expect(made).toHaveLength(2)
  })

  it('are not kept before the first release, and for those of a day', async () => {
    newest = -1
    await ask({})
    await ask({})
    expect(made).toHaveLength(2)
  })

  it('do not keep a failure', async () => {
    fails = true
    await expect(ask({})).rejects.toThrow('away')
    fails = false
    expect((await ask({})).body).toContain('at 7')
  })

  it('make room for newer ones, those that were used last staying', async () => {
    const large = ofKind(kept, 'large', 30 * 1024 * 1024)
    await large({ n: 1 })
    await large({ n: 2 })
    await large({ n: 1 })
    await large({ n: 3 })
    expect(made).toHaveLength(3)
    await large({ n: 1 })
    expect(made).toHaveLength(3)
    await large({ n: 2 })
    expect(made).toHaveLength(4)
  })
})
