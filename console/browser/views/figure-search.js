/**
 * The field that finds figures by words, codes and synonyms, and adds the chosen one to a plot.
 *
 * @import { SearchBody } from '../bodies.d.ts'
 * @import { Offer } from '../figure-offers.js'
 * @import { ViewContext } from '../view.d.ts'
 */
import { h } from '../dom.js'
import { figureOffers } from '../figure-offers.js'

/** Each question costs a call of the key, so that it waits for the end of a word. */
const PAUSE_MS = 300
export const SEARCH_ID = 'figure-search'

/**
 * @param {ViewContext} context
 * @param {object} options
 * @param {Parameters<typeof figureOffers>[1]} options.shown
 * @param {Parameters<typeof figureOffers>[3]} options.isServed
 * @param {(name: string) => void} options.onChoice
 */
export function figureSearch({ client, facts, signal }, { shown, isServed, onChoice }) {
  /** @type {readonly Offer[]} */
  let offers = []
  let at = 0
  let asked = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const list = h('ul', { id: 'figure-offers', role: 'listbox', 'aria-label': 'Figures found', hidden: true })
  const said = h('small', { role: 'status' })
  const input = h('input', {
    id: SEARCH_ID,
    type: 'search',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 200,
    placeholder: 'Germany, jobless rate, UNRATE …',
    'aria-expanded': 'false',
    'aria-controls': 'figure-offers',
    'aria-autocomplete': 'list',
  })
  const show = () => {
    list.hidden = offers.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    if (list.hidden) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `offer-${at}`)
    list.replaceChildren(
      ...offers.map(({ name, title }, i) =>
        h(
          'li',
          {
            id: `offer-${i}`,
            role: 'option',
            'aria-selected': String(i === at),
            // Before the field loses its focus, which closes the list.
            onmousedown: (event) => {
              event.preventDefault()
              onChoice(name)
            },
          },
          title,
        ),
      ),
    )
  }
  const close = () => {
    offers = []
    show()
  }
  const search = async () => {
    const q = input.value.trim()
    const own = ++asked
    if (q === '') {
      said.textContent = ''
      return close()
    }
    try {
      /** @type {SearchBody} */
      const { hits } = await client.json('/v1/search', { query: { q, limit: '10' }, signal })
      if (own !== asked) return
      offers = figureOffers(hits, shown, facts, isServed)
      said.textContent = offers.length === 0 ? `No other figure is found by “${q}”.` : ''
    } catch (error) {
      if (signal.aborted || own !== asked) return
      offers = []
      said.textContent = error instanceof Error ? error.message : String(error)
    }
    at = 0
    show()
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, PAUSE_MS)
  })
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') close()
    const chosen = offers[at]
    if (!chosen) return
    if (step !== undefined) at = (at + step + offers.length) % offers.length
    else if (event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) onChoice(chosen.name)
    else show()
  })
  signal.addEventListener('abort', () => clearTimeout(timer))
  return h(
    'div',
    { class: 'figure-search' },
    h('label', { for: SEARCH_ID }, 'Add a country or figure'),
    h('div', { class: 'offers' }, input, list),
    said,
  )
}
