/**
 * The console: reads the address, shows its view, and keeps the key of this tab.
 *
 * @import { Facts } from './bodies.d.ts'
 * @import { ServiceProblem } from './api-client.js'
 * @import { Presence } from './service-watch.js'
 * @import { ConsoleView, ViewContext } from './view.d.ts'
 * @import { ViewName, ViewState } from './view-address.js'
 */
import { apiClient, isUnreachable, readinessOf } from './api-client.js'
import { awayNotice } from './away-notice.js'
import { byId, h } from './dom.js'
import { keptContent } from './kept-content.js'
import { forgetKey, keepKey, keptKey, keyForm, keyLabel } from './key.js'
import { problemNote, refusedNote } from './notes.js'
import { serviceWatch } from './service-watch.js'
import { similarCodes } from './similar-codes.js'
import { formText, readViewAddress, viewAddress } from './view-address.js'
import { calendarView } from './views/calendar.js'
import { catalogueView } from './views/catalogue.js'
import { compareView } from './views/compare.js'
import { indicatorsView } from './views/indicators.js'
import { journalView } from './views/journal.js'
import { pricesView } from './views/prices.js'
import { serviceView } from './views/service.js'
import { whyView } from './views/why.js'

/** @type {Facts} */
const facts = JSON.parse(byId('facts').textContent ?? '')
/** @type {Readonly<Partial<Record<ViewName, { name: string, view: ConsoleView, isOpen?: boolean }>>>} */
const views = {
  prices: { name: 'Prices', view: pricesView },
  indicators: { name: 'Indicators', view: indicatorsView },
  catalogue: { name: 'Catalogue', view: catalogueView },
  calendar: { name: 'Calendar', view: calendarView },
  journal: { name: 'Journal', view: journalView },
  compare: { name: 'Compare', view: compareView },
  why: { name: 'Why this figure', view: whyView },
  service: { name: 'Service', view: serviceView, isOpen: true },
}
const start = byId('start')
const container = byId('view')
const content = byId('content')
const [tabs] = document.getElementsByClassName('views')
const [status] = document.getElementsByClassName('status')
if (!(tabs instanceof HTMLElement && status instanceof HTMLElement)) throw new Error('the page is not the console’s')

const watch = serviceWatch({ ask: readinessOf, onChange: showPresence, isHidden: () => document.hidden })
const away = awayNotice(watch.check)
const refusal = h('section', { class: 'note refused', 'aria-label': 'The key', hidden: true })
content.prepend(away.element, refusal)
const client = apiClient({
  key: keptKey,
  origin: location.origin,
  onRemaining: showRemaining,
  onRefused: showRefusal,
  watch,
})
const kept = keptContent(container)
let leaving = new AbortController()
/** The view that is shown. @type {ViewName | undefined} */
let opened
/** Whether a view waits for the service to be back. */
let isPostponed = false

/** @param {string} [focus] */
function show(focus) {
  const state = readViewAddress(location.search)
  const { view, params, unread } = state
  const shown = views[view]
  const isStart = !shown && unread.length === 0
  showTabs(state)
  showEntrance()
  const name = shown?.name ?? 'Almanac'
  isPostponed = watch.isAway() && !isStart
  // What was read of this view before stays until it can be read anew.
  if (isPostponed && opened === view) return
  leaving.abort()
  leaving = new AbortController()
  const dropped = kept.begin(opened === view)
  opened = view
  hideRefusal()
  start.hidden = !isStart
  container.hidden = isStart
  document.title = shown ? `${shown.name} · Almanac` : 'Almanac'
  if (isStart) return
  container.className = `view ${view}`
  if (isPostponed) {
    container.append(h('h1', { tabindex: -1 }, name), h('p', { class: 'lead' }, 'This opens once the service is back.'))
    return
  }
  if (shown && !shown.isOpen && keptKey() === undefined) return askForKey(shown.name)
  if (!shown || unread.length > 0) {
    const said = unread.map(({ name, value }) => `${name} is “${value}”, and takes ${formText(view, name)}.`).join(' ')
    const rest = h('a', { href: viewAddress(view, params) }, shown ? 'this view without it' : 'the first page')
    const country = unread.find(({ name }) => name === 'country')?.value ?? ''
    const near = similarCodes(country, Object.keys(facts.countries), facts.countries).map((code) =>
      h('a', { href: viewAddress(view, { ...params, country: code }) }, facts.countries[code] ?? code),
    )
    container.append(h('h1', { tabindex: -1 }, name), refusedNote(said, [...near, rest]))
    return
  }
  const { signal } = leaving
  const reading = shown.view(container, {
    facts,
    client,
    params,
    signal,
    dropped,
    hasKey: keptKey() !== undefined,
    focus,
    replace: (params) => history.replaceState(null, '', viewAddress(view, params)),
    go,
  })
  if (!reading) return kept.settle()
  const settle = () => signal.aborted || kept.settle()
  reading.then(settle, (error) => {
    if (signal.aborted) return
    // It is read again once the service is back.
    if (isUnreachable(error)) isPostponed = true
    const isAway = isPostponed && watch.isAway()
    if (isAway && kept.restore()) return
    kept.settle()
    // The problem stands where the answer was awaited. If nothing was, the notice that the service is away says it.
    const [waiting, ...others] = container.querySelectorAll('.waiting')
    for (const other of others) other.remove()
    if (waiting) waiting.replaceWith(problemNote(error))
    else if (!isAway) container.append(problemNote(error))
  })
}

/** @param {string} name */
function askForKey(name) {
  container.append(
    h('h1', { tabindex: -1 }, name),
    h('p', { class: 'lead' }, 'This view asks the service for you, and needs a key for that.'),
    keyForm(acceptKey),
  )
}

/** @param {Presence} presence */
function showPresence(presence) {
  away.show(presence)
  showStale()
  if (!presence.isAway && isPostponed) show()
}

/**
 * The key was accepted before, and is not any more: it has expired or was revoked.
 *
 * @param {ServiceProblem} problem
 */
function showRefusal({ message }) {
  if (!refusal.hidden) return
  refusal.replaceChildren(
    h('p', { role: 'alert' }, h('b', {}, message), ' Paste another key to go on.'),
    keyForm(acceptKey, 'Use this key'),
  )
  refusal.hidden = false
  showStale()
}

function hideRefusal() {
  refusal.hidden = true
  refusal.replaceChildren()
  showStale()
}

/** Dims what can't be kept up to date. */
function showStale() {
  container.classList.toggle('stale-view', watch.isAway() || !refusal.hidden)
}

/** @type {ViewContext['go']} */
function go(view, params = {}, focus = undefined) {
  history.pushState(null, '', viewAddress(view, params))
  show(focus)
  if (focus !== undefined) return
  scrollTo(0, 0)
  // A screen reader reads on from the heading of the new view.
  const heading = (container.hidden ? start : container).querySelector('h1')
  if (heading) {
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
}

/** @param {ViewState} state */
function showTabs({ view }) {
  const names = /** @type {ViewName[]} */ (['prices', 'indicators', 'catalogue', 'calendar', 'journal', 'service'])
  const links = names.map((name) => {
    const isCurrent = name === view || (name === 'indicators' && (view === 'why' || view === 'compare'))
    return h('a', { href: viewAddress(name), 'aria-current': isCurrent && 'page' }, views[name]?.name)
  })
  const key = keptKey()
  const holder =
    key === undefined
      ? ''
      : h(
          'span',
          { class: 'key-state' },
          h('code', { title: 'Kept in this tab only' }, keyLabel(key)),
          h('button', { type: 'button', class: 'quiet', onclick: dropKey }, 'Forget'),
        )
  tabs?.replaceChildren(...links, holder)
  const current = links.find((link) => link.hasAttribute('aria-current'))
  // The row is wider than a telephone. Not `scrollIntoView`, which moves the page, too.
  if (tabs && current) tabs.scrollLeft = current.offsetLeft + 2 * current.offsetWidth - tabs.clientWidth
}

/** On the first page: the field for the key, or the way in. */
function showEntrance() {
  const entrance = byId('entrance')
  entrance.hidden = false
  entrance.replaceChildren(
    keptKey() === undefined
      ? keyForm(acceptKey)
      : h('p', {}, h('a', { class: 'button', href: viewAddress('prices') }, 'Open the console')),
  )
}

/** @param {string} key */
async function acceptKey(key) {
  // Judged before it is kept, so that a mistyped key is said where it was typed.
  const judged = apiClient({ key: () => key, onRemaining: showRemaining })
  await judged.json('/v1/usage')
  keepKey(key)
  if (readViewAddress(location.search).view === 'start') go('prices')
  else show()
}

function dropKey() {
  forgetKey()
  if (status instanceof HTMLElement) status.hidden = true
  go('start')
}

/** @param {number} calls */
function showRemaining(calls) {
  if (!(status instanceof HTMLElement)) return
  status.hidden = false
  status.textContent = `${calls.toLocaleString('en-US')} calls left this month · times are UTC`
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || link.target !== '' || link.download !== '') return
  const url = new URL(link.href, location.href)
  if (url.origin !== location.origin || url.pathname !== '/' || url.hash !== '') return
  event.preventDefault()
  const { view, params } = readViewAddress(url.search)
  go(view, params)
})
addEventListener('popstate', () => show())
document.addEventListener('visibilitychange', () => document.hidden || watch.check())
tabs.hidden = false
content.classList.add('has-console')
show()
