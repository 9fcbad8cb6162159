import { expect, it } from 'vitest'
import { faultKinds } from './faults.ts'
import { shrink } from './shrink.ts'

const failing = { seed: 7, steps: 2_000, kinds: faultKinds }

it('finds fewer steps and fewer kinds of faults that still fail', async () => {
  const smallest = await shrink(failing, async ({ steps, kinds }) => steps >= 300 && kinds.includes('kill'))
  expect(smallest).toEqual({ seed: 7, steps: 500, kinds: ['kill'] })
})

it('keeps what cannot be left out', async () => {
  expect(await shrink(failing, async () => false)).toEqual(failing)
})
