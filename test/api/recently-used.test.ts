import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RecentlyUsed } from '../../api/recently-used.ts'

const step = fc.record({
  what: fc.constantFrom('get', 'set', 'resize', 'drop'),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  size: fc.integer({ min: 1, max: 9 }),
  later: fc.constantFrom(0, 1, 10_000, 30_000),
})
type Value = { readonly n: number }
type Held = { readonly key: string; readonly value: Value; readonly until: number; readonly size: number }

it('has a value for half a minute, and of those that hold the ones that were used last, up to the size', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = 0
      const most = 12
      const kept = new RecentlyUsed<Value>(most, () => now)
      /** The same as a plain list, the one used last at the end. */
      let held: Held[] = []
      const latest = new Map<string, Value>()
      const fits = (all: readonly Held[]) => all.reduce((sum, { size }) => sum + size, 0) <= most
      for (const [n, { what, key, size, later }] of steps.entries()) {
        now += later
        const own = held.find((one) => one.key === key)
        const others = held.filter((one) => one !== own)
        const value = latest.get(key)
        if (what === 'get') {
          // Those in front that are over go first.
          while (held[0] && held[0].until <= now) held.shift()
          const found = held.find((one) => one.key === key)
          held = held.filter((one) => one !== found)
          if (found && found.until > now) held.push(found)
          expect(kept.get(key)).toBe(found && found.until > now ? found.value : undefined)
        } else if (what === 'set') {
          const fresh = { n }
          latest.set(key, fresh)
          held = [...others, { key, value: fresh, until: now + 30_000, size }]
          kept.set(key, fresh, size)
        } else if (value) {
          const isHeld = own?.value === value
          if (what === 'drop') {
            if (isHeld) held = others
            kept.drop(key, value)
          } else {
            if (isHeld) held = held.map((one) => (one === own ? { ...one, size } : one))
            kept.resize(key, value, size)
          }
          kept.drop(key, { n })
        }
        while (!fits(held)) held.shift()
      }
      for (const { key, value, until } of [...held]) if (until > now) expect(kept.get(key)).toBe(value)
    }),
  )
})
