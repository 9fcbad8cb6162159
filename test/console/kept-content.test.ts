import { beforeEach, describe, expect, it } from 'vitest'
import { keptContent } from '../../console/browser/kept-content.js'

describe('the content of a view', () => {
  let nodes: string[]
  let kept: ReturnType<typeof keptContent>
  /** Reads something in place of what is shown, as far as to what it has drawn. */
  const begin = (drawn: string, isSame = true) => {
    const dropped = kept.begin(isSame)
    expect(nodes).toEqual([])
    nodes = [drawn]
    return dropped
  }

  beforeEach(() => {
    nodes = []
    kept = keptContent({
      get childNodes() {
        return nodes
      },
      replaceChildren: (...next: string[]) => (nodes = next),
    })
  })

  it('is shown again if the next can’t be read, and is dropped once that is read', () => {
    const first = begin('first', false)
    kept.settle()
    const second = begin('waiting')
    expect(kept.restore()).toBe(true)
    expect([nodes, first.aborted, second.aborted]).toEqual([['first'], false, true])
    begin('third')
    kept.settle()
    expect([first.aborted, kept.restore(), nodes]).toEqual([true, false, ['third']])
  })

  it('is the last that was read to its end, however often it is changed', () => {
    const first = begin('first', false)
    kept.settle()
    const second = begin('waiting')
    begin('waiting, too')
    expect([first.aborted, second.aborted]).toEqual([false, true])
    expect(kept.restore()).toBe(true)
    expect(nodes).toEqual(['first'])
  })

  it('is not shown in place of another view', () => {
    const first = begin('first', false)
    kept.settle()
    const waiting = begin('waiting')
    const other = begin('other', false)
    expect([first.aborted, waiting.aborted, other.aborted]).toEqual([true, true, false])
    expect(kept.restore()).toBe(false)
    expect(nodes).toEqual(['other'])
  })
})
