/**
 * The console: reads the address, shows its view, and keeps the key of this tab.
 *
 * @import { Facts } from './bodies.d.ts'
 * @import { ConsoleView, ViewContext } from './view.d.ts'
 * @import { ViewName, ViewState } from './view-address.js'
 */
import { apiClient } from './api-client.js'
import { byId, h } from './dom.js'
import { forgetKey, keepKey, keptKey, keyForm, keyLabel } from './key.js'
import { problemNote, refusedNote } from './notes.js'
import { similarCodes } from './similar-codes.js'
import { formText, readViewAddress, viewAddress } from './view-address.js'
import { calendarView } from './views/calendar.js'
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

const client = apiClient({ key: keptKey, onRemaining: showRemaining })
let leaving = new AbortController()

/** @param {string} [focus] */
function show(focus) {
  leaving.abort()
  leaving = new AbortController()
  const state = readViewAddress(location.search)
  const { view, params, unread } = state
  const shown = views[view]
  const isStart = !shown && unread.length === 0
  showTabs(state)
  showEntrance()
  start.hidden = !isStart
  container.hidden = isStart
  container.replaceChildren()
  document.title = shown ? `${shown.name} · Almanac` : 'Almanac'
  if (isStart) return
  container.className = `view ${view}`
  if (shown && !shown.isOpen && keptKey() === undefined) return askForKey(shown.name)
  if (!shown || unread.length > 0) {
    const said = unread.map(({ name, value }) => `${name} is “${value}”, and takes ${formText(view, name)}.`).join(' ')
    const rest = h('a', { href: viewAddress(view, params) }, shown ? 'this view without it' : 'the first page')
    const country = unread.find(({ name }) => name === 'country')?.value ?? ''
    const near = similarCodes(country, Object.keys(facts.countries), facts.countries).map((code) =>
      h('a', { href: viewAddress(view, { ...params, country: code }) }, facts.countries[code] ?? code),
    )
    container.append(h('h1', { tabindex: -1 }, shown?.name ?? 'Almanac'), refusedNote(said, [...near, rest]))
    return
  }
  const { signal } = leaving
  const opened = shown.view(container, {
    facts,
    client,
    params,
    signal,
    hasKey: keptKey() !== undefined,
    focus,
    replace: (params) => history.replaceState(null, '', viewAddress(view, params)),
    go,
  })
  opened?.catch((error) => {
    if (signal.aborted) return
    // The problem stands where the answer was awaited.
    const waiting = container.querySelector('.waiting')
    if (waiting) waiting.replaceWith(problemNote(error))
    else container.append(problemNote(error))
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
  const names = /** @type {ViewName[]} */ (['prices', 'indicators', 'calendar', 'journal', 'service'])
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
tabs.hidden = false
content.classList.add('has-console')
show()
