import { expect, it } from 'vitest'
import { tallyText } from '../../ingest/run.ts'

it.each([
  [{ held: 1, prices: 1 }, '1 held, 1 price'],
  [{ held: 1, prices: 2 }, '1 held, 2 prices'],
  [{ new: 0, prices: 0 }, 'nothing'],
])('a tally counts one price and several prices: %j', (tally, text) => expect(tallyText(tally)).toBe(text))
