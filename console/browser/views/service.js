/**
 * Health of the service, and use of the key.
 *
 * @import { Health, Usage } from '../bodies.d.ts'
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 */
import { isUnreachable } from '../api-client.js'
import { h, isNarrow, svg } from '../dom.js'
import { keptKey, keyLabel } from '../key.js'
import { problemNote, waitingNote } from '../notes.js'
import { ageName, dayName, instantName } from '../periods.js'
import { publisherAges } from '../publisher-ages.js'
import { catalogue } from '../series-store.js'
import { viewAddress } from '../view-address.js'

/** Neither question costs a call of the month. */
const EVERY_MS = 15_000

/** @type {ConsoleView} */
export function serviceView(container, context) {
  const health = h('div', {}, waitingNote('Asking …'))
  const usage = h('div', {}, waitingNote('Asking …'))
  const publishers = h('div', {}, waitingNote('Asking …'))
  const read = h('p', { class: 'stream-line delay' })
  container.append(
    h('div', { class: 'view-head' }, h('h1', {}, 'Service'), read),
    h(
      'div',
      { class: 'halves' },
      h('section', { 'aria-labelledby': 'health-title' }, h('h2', { id: 'health-title' }, 'Health'), health),
      h('section', { 'aria-labelledby': 'usage-title' }, h('h2', { id: 'usage-title' }, 'Use of the key'), usage),
    ),
    h('section', { 'aria-labelledby': 'ages-title' }, h('h2', { id: 'ages-title' }, 'Publishers'), publishers),
  )
  const refresh = async () => {
    await Promise.all([
      show(health, () => healthParts(context)),
      show(usage, () => usageParts(context)),
      show(publishers, () => publisherParts(context, publishers)),
    ])
    read.textContent = `as of ${instantName(new Date().toISOString())}, asked again every ${EVERY_MS / 1000} s`
  }
  // Nobody looks at a page in the background. What can't be reached then is asked for again.
  const timer = setInterval(() => document.hidden || refresh().catch(() => undefined), EVERY_MS)
  context.signal.addEventListener('abort', () => clearInterval(timer))
  return refresh()
}

/**
 * Shows what was read, or why it can't be. Rejects if the service can't be reached: what was read before stays.
 *
 * @param {HTMLElement} place
 * @param {() => Promise<readonly Node[]>} parts
 */
async function show(place, parts) {
  try {
    const read = await parts()
    // The keyboard stays where it is: nothing but a fold can have it.
    const fold = place.querySelector('details:has(> summary:focus)')
    place.replaceChildren(...read)
    const summary = fold && place.querySelector(`details.${fold.className} > summary`)
    if (summary instanceof HTMLElement) summary.focus({ preventScroll: true })
  } catch (error) {
    if (isUnreachable(error)) throw error
    place.replaceChildren(problemNote(error))
  }
}

/** @type {Readonly<Record<string, string>>} */
const partNames = {
  status: 'All together',
  version: 'Version',
  journal: 'Journal',
  read_models: 'Read models',
  access: 'Keys and quotas',
  starting: 'Starting',
  data_as_of: 'Newest figure recorded',
}

/** @param {ViewContext} context */
async function healthParts({ client, signal }) {
  const began = performance.now()
  /** @type {Health} */
  const health = await client.json('/health', { signal })
  const took = performance.now() - began
  const rows = Object.entries(health).flatMap(([name, value]) => [
    h('dt', {}, partNames[name] ?? name.replaceAll('_', ' ')),
    h(
      'dd',
      { class: isWell(name, value) ? '' : 'refused' },
      name === 'data_as_of' && value !== '' ? since(value) : value || 'none',
    ),
  ])
  return [h('dl', { class: 'facts' }, rows, h('dt', {}, 'Answered in'), h('dd', {}, `${took.toFixed(0)} ms`))]
}

const since = (/** @type {string} */ instant) =>
  `${instantName(instant)}, ${ageName(Date.now() - Date.parse(instant))} ago`

const isWell = (/** @type {string} */ name, /** @type {string} */ value) =>
  value === 'ok' || name === 'version' || name === 'data_as_of'

/** @param {ViewContext} context */
async function usageParts({ client, signal, hasKey }) {
  const key = keptKey()
  if (!hasKey || key === undefined) {
    return [
      h('p', {}, 'No key is in this tab. ', h('a', { href: viewAddress('start') }, 'Paste one'), ' to see its use.'),
    ]
  }
  /** @type {Usage} */
  const { plan, month, used, remaining, streams_open, limits } = await client.json('/v1/usage', { signal })
  const count = (/** @type {number} */ calls) => calls.toLocaleString('en-US')
  return [
    h(
      'dl',
      { class: 'facts' },
      ...[
        ['Key', keyLabel(key)],
        ['Plan', plan],
        [`Calls used in ${month}`, `${count(used)} of ${count(limits.calls_per_month)}`],
        ['Calls left', count(remaining)],
        ['Calls a minute', `at most ${count(limits.calls_per_minute)}`],
        ['Streams open', `${streams_open} of ${limits.concurrent_streams}`],
      ].flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    ),
    gauge(used / limits.calls_per_month),
    h('p', { class: 'colophon' }, 'Asking for this costs nothing. Each connection of a stream costs one call.'),
  ]
}

/**
 * How old the figures of each publisher are: first those with late figures, then the others. A telephone folds both.
 *
 * @param {ViewContext} context
 * @param {HTMLElement} place what it was before; what is unfolded there stays so
 */
async function publisherParts(context, place) {
  if (!context.hasKey) return [h('p', {}, 'With a key in this tab, the age of each publisher’s figures stands here.')]
  const rows = publisherAges(await catalogue(context))
  if (rows.length === 0) return [h('p', {}, 'No figure is on record yet.')]
  const late = rows.filter((row) => row.late > 0)
  const others = rows.filter((row) => row.late === 0)
  const count = late.reduce((sum, row) => sum + row.late, 0)
  const fold = (/** @type {string} */ name, /** @type {string} */ summary, /** @type {typeof rows} */ own) => {
    if (own.length === 0) return []
    const before = place.querySelector(`details.${name}`)
    const open = before instanceof HTMLDetailsElement ? before.open : !isNarrow()
    return [h('details', { class: name, open }, h('summary', {}, summary), agesTable(summary, own))]
  }
  return [
    ...fold('late', `${count} late: figures of ${publishersText(late)}`, late),
    ...fold('in-time', `Nothing late: ${publishersText(others)}`, others),
    h(
      'p',
      { class: 'colophon' },
      'Late: the day on which the next figure was expected has passed, and it is not on record.',
    ),
  ]
}

/** @param {readonly unknown[]} list */
const publishersText = ({ length }) => (length === 1 ? '1 publisher' : `${length} publishers`)

/**
 * @param {string} caption
 * @param {ReturnType<typeof publisherAges>} rows
 */
const agesTable = (caption, rows) =>
  h(
    'table',
    { class: 'dense stacked' },
    h('caption', { class: 'unseen' }, caption),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Publisher', 'Series served', 'Newest print', 'Recorded', 'Late'].map((name) =>
          h('th', { scope: 'col' }, name),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map(({ publisher, served, newest, recorded, late }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, publisher),
          h('td', { 'data-column': 'Series served' }, String(served)),
          h('td', { 'data-column': 'Newest print' }, dayName(newest)),
          h('td', { 'data-column': 'Recorded' }, since(recorded)),
          h('td', { 'data-column': 'Late', class: late > 0 && 'refused' }, late > 0 ? `${late} of them` : 'none'),
        ),
      ),
    ),
  )

/** @param {number} share of the month that is used */
function gauge(share) {
  const width = 400
  const bar = svg('rect', { x: 0, y: 4, width: Math.max(1, Math.min(1, share) * width), height: 8, class: 'used' })
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => svg('path', { d: `M${part * width} 0V16` }))
  const rule = svg('path', { d: `M0 8H${width}` })
  return svg(
    'svg',
    {
      class: 'gauge',
      viewBox: `-1 -1 ${width + 2} 18`,
      role: 'img',
      'aria-label': `${(share * 100).toFixed(2)} % of the month’s calls are used`,
    },
    rule,
    ...marks,
    bar,
  )
}
