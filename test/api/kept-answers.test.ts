import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, caching, etagOf } from '../../api/answer.ts'
import { KeptAnswers } from '../../api/kept-answers.ts'
import { ReadModelReach, type Subject } from '../../api/read-model-reach.ts'
import { RecentReleases } from '../../domain/recent-releases.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

describe('kept answers', () => {
  let newest: number
  let projected: number
  let now: number
  let made: string[]
  let ask: (question: object) => Promise<Answer>
  let fails: boolean
  let releaseIndex: ReleaseIndex
  let recentReleases: RecentReleases
  let kept: KeptAnswers

  const answering = (kind: string, size: number) => async (question: object) => {
    made.push(`${kind} ${JSON.stringify(question)}`)
    await Promise.resolve()
    if (fails) throw new Error('away')
    const body = `${kind} ${JSON.stringify(question)} at ${projected}`.padEnd(size)
    return { body, etag: etagOf(body), cacheControl: caching.latest }
  }
  const ofKind = (kind: string, size = 1) => kept.keeping(kind, answering(kind, size))
  const ofSubjects = async (...subjects: Subject[]) =>
    kept.keeping('histories', answering('histories', 1), () => subjects).answer({})
  /** Puts a release of consumer prices into memory. */
  const release = (country: string) => {
    const each = accepted(candidate(testSeries({ country }), '2025-10', { value: '1' }))
    releaseIndex.apply(each)
    recentReleases.add(++newest, each)
  }
  const cpi = (country: string): Subject => ({ country, indicator: 'cpi' })

  beforeEach(() => {
    newest = 7
    projected = 7
    now = 0
    made = []
    fails = false
    releaseIndex = new ReleaseIndex()
    recentReleases = new RecentReleases()
    recentReleases.startAfter(newest)
    const newestRelease = () => newest
    const reach = new ReadModelReach({ newestRelease, recentReleases, history: { watermark: async () => projected } })
    kept = new KeptAnswers({ newestRelease, releaseIndex, reach, monotonic: () => now })
    ask = async (question) => ofKind('panel').answer(question)
  })

  it('are made once for each question until there is a new release, also if several ask at once', async () => {
    const [one, two] = await Promise.all([ask({ country: 'USA' }), ask({ country: 'USA' })])
    expect(two).toBe(one)
    expect(await ask({ country: 'USA' })).toBe(one)
    expect((await ask({ country: 'DEU' })).body).toContain('DEU')
    expect((await ofKind('other').answer({ country: 'USA' })).body).toContain('other')
    expect(made).toHaveLength(3)
    newest = projected = 8
    expect((await ask({ country: 'USA' })).body).toBe('panel {"country":"USA"} at 8')
  })

  it('are told without waiting, once they are made, for as long as they are kept', async () => {
    const { kept: told } = ofKind('panel')
    expect(told({})).toBeUndefined()
    const made = ask({})
    expect(told({})).toBeUndefined()
    const answer = await made
    expect(told({})).toBe(answer)
    expect(told({ country: 'DEU' })).toBeUndefined()
    now = 30_000
    expect(told({})).toBeUndefined()
    await ask({})
    newest = projected = 8
    expect(told({})).toBeUndefined()
    await ask({})
    newest = -1
    expect(told({})).toBeUndefined()
  })

  it('are kept for half a minute', async () => {
    await ask({})
    now = 29_999
    await ask({})
    expect(made).toHaveLength(1)
    now = 30_000
    await ask({})
    expect(made).toHaveLength(2)
  })

  it('of some subjects are made anew only after a release about one of them', async () => {
    await ofSubjects(cpi('USA'), cpi('DEU'))
    release('FRA')
    await ofSubjects(cpi('USA'), cpi('DEU'))
    expect(made).toHaveLength(1)
    for (const country of ['USA', 'DEU']) {
      release(country)
      projected = newest
      expect((await ofSubjects(cpi('USA'), cpi('DEU'))).body).toContain(`at ${projected}`)
    }
    expect(made).toHaveLength(3)
  })

  it('are not kept while the read models lack a release that is in memory', async () => {
    newest = 8
    expect((await ask({})).body).toContain('at 7')
    projected = 8
    expect((await ask({})).body).toContain('at 8')
    await ask({})
    expect(made).toHaveLength(2)
  })

  it('of some subjects are kept while the read models lack a release about others only', async () => {
    release('FRA')
    await ofSubjects(cpi('USA'))
    await ofSubjects(cpi('USA'))
    expect(made).toHaveLength(1)
    release('USA')
    await ofSubjects(cpi('USA'))
    await ofSubjects(cpi('USA'))
    expect(made).toHaveLength(3)
  })

  it('of some subjects are not kept if memory no longer has all that the read models lack', async () => {
    recentReleases.startAfter(8)
    newest = 9
    await ofSubjects(cpi('USA'))
    await ofSubjects(cpi('USA'))
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
    const large = ofKind('large', 30 * 1024 * 1024).answer
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

  it('count what each takes beside its body', async () => {
    const small = ofKind('small').answer
    const padding = 'x'.repeat(10_000)
    for (let n = 0; n < 12_000; n++) await small({ n, padding })
    await small({ n: 0, padding })
    expect(made).toHaveLength(12_001)
  })
})
