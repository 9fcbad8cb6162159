import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { examples } from '../../api/examples.ts'
import { renderer } from '../../api/render.ts'
import { EventPage } from '../../contracts/events.ts'
import { operations } from '../../contracts/operations.ts'
import { turnsOf } from '../support/turns.ts'

async function rendering() {
  const app = Fastify()
  const render = renderer(app)
  app.get('/', { schema: { response: { 200: EventPage } } }, () => ({}))
  await app.ready()
  return render
}

const exampleOf = (id: string) => examples[id]?.body as Record<string, unknown>

/** Bodies with one list, by operation, and the member that holds it. */
const lists = operations.flatMap(({ id, response }) => {
  const { properties } = response as { properties?: Record<string, { items?: object }> }
  const member = Object.entries(properties ?? {}).find(([, { items }]) => items)?.[0]
  return member ? [[id, member] as const] : []
})

it.each(lists)('a long %s is the same bytes in parts as whole', async (id, member) => {
  const render = await rendering()
  const example = exampleOf(id)
  const [entry] = example[member] as object[]
  const entries = Array.from({ length: 250 }, (_, i) => ({ ...entry, subject: `"${member}":[] ${i}` }))
  const whole = render(id, { ...example, [member]: entries }, 'no-store')
  const { [member]: _, ...rest } = example
  expect(await render.list(id, entries, (own) => own, rest, 'no-store')).toEqual(whole)
  expect(await render.list(id, [], (own) => own, rest, '')).toEqual(render(id, { ...example, [member]: [] }, ''))
})

it('a long page lets other requests be answered between its parts', async () => {
  const render = await rendering()
  const example = exampleOf('events_list')
  const [entry] = example.events as object[]
  const { events: _, ...rest } = example
  const turns = await turnsOf(() =>
    render.list('events_list', Array(1_000).fill(entry), (own: object) => own, rest, ''),
  )
  expect(turns).toBeGreaterThanOrEqual(8)
})
