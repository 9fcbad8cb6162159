import { expect, it } from 'vitest'
import { docsPage } from '../../api/pages/docs.ts'
import { exportLimits } from '../../contracts/events.ts'
import { operations } from '../../contracts/operations.ts'

it('the ground rules name each operation that needs no key, and the price of an export', () => {
  const { body } = docsPage({ apiBase: 'http://127.0.0.1:8080', streamBase: 'ws://127.0.0.1:8081' })
  const [, key = ''] = /<dt>Key<\/dt><dd>(.*?)<\/dd>/s.exec(String(body)) ?? []
  const named = [...key.matchAll(/<code>(\/[^<]*)<\/code>/g)].map(([, path]) => path)
  expect(named).toEqual(operations.filter(({ access }) => access === 'none').map(({ path }) => path))
  expect(String(body)).toContain(`one for each ${exportLimits.eventsPerCall.toLocaleString('en-US')} events begun`)
})
