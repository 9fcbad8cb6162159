import { expect, it } from 'vitest'
import { Basket } from '../../streams/prices/basket.ts'
import type { LivePrice } from '../../streams/prices/price.ts'

const CHECK = 7
/** A price whose value changed from `old` to `new` in the last check, or before it. */
const priceOf = (name: string, isChanged: boolean) =>
  ({
    changedIn: isChanged ? CHECK : CHECK - 1,
    before: `${name} old`,
    current: { value: `${name} new`, frame: Buffer.from(name) },
  }) as unknown as LivePrice

it('of a client that got only some of the changes, the prices that it got are known, and the others are those before', () => {
  const basket = new Basket('key', [
    priceOf('a', true),
    priceOf('b', false),
    priceOf('c', true),
    priceOf('d', true),
    priceOf('e', false),
  ])
  basket.gather(CHECK)
  expect(basket.changed.map((frame) => Buffer.from(frame).toString())).toEqual(['a', 'c', 'd'])
  expect(basket.pricesAfter(0)).toEqual(['a old', 'b new', 'c old', 'd old', 'e new'])
  expect(basket.pricesAfter(1)).toEqual(['a new', 'b new', 'c old', 'd old', 'e new'])
  expect(basket.pricesAfter(3)).toEqual(['a new', 'b new', 'c new', 'd new', 'e new'])
})
