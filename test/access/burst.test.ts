import { expect, it } from 'vitest'
import { type Bucket, takeFromBucket } from '../../access/burst.ts'

const SECOND = 1_000

it('a bucket refills evenly over a minute, and no further than it holds', () => {
  const bucket: Bucket = { calls: 0, at: 0 }
  expect(takeFromBucket(bucket, 6, 9.999 * SECOND)).toEqual({
    allowed: false,
    remaining: 0,
    resetAfter: 51,
    retryAfter: 1,
  })
  expect(takeFromBucket(bucket, 6, 10 * SECOND)).toEqual({
    allowed: true,
    remaining: 0,
    resetAfter: 60,
    retryAfter: 10,
  })
  expect(takeFromBucket(bucket, 6, 35 * SECOND)).toEqual({ allowed: true, remaining: 1, resetAfter: 45, retryAfter: 0 })
  expect(takeFromBucket(bucket, 6, 3_600 * SECOND)).toMatchObject({ allowed: true, remaining: 5 })
})

it('a clock that was set back refills nothing, and takes nothing away', () => {
  const bucket: Bucket = { calls: 2, at: 60 * SECOND }
  expect(takeFromBucket(bucket, 6, 0)).toMatchObject({ allowed: true, remaining: 1 })
  expect(takeFromBucket(bucket, 6, 10 * SECOND)).toMatchObject({ allowed: true, remaining: 1 })
})
