/**
 * Boxes to choose which commodities are shown.
 *
 * @import { ViewContext } from '../view.d.ts'
 */
import { h } from '../dom.js'

/**
 * @param {ViewContext} context
 * @param {ReadonlySet<string>} hidden
 */
export function commodityChooser({ facts, params, go }, hidden) {
  const boxes = facts.commodities.map(({ code, name }) => {
    const box = h('input', { type: 'checkbox', name: code, checked: !hidden.has(code) })
    return { code, box, label: h('label', {}, box, ' ', name) }
  })
  const advice = h('p', { role: 'status' })
  const apply = () => {
    const off = boxes.filter(({ box }) => !box.checked).map(({ code }) => code)
    if (boxes.length - off.length > facts.commodityPairs) {
      advice.textContent = `One stream carries ${facts.commodityPairs} commodities: take ${boxes.length - off.length - facts.commodityPairs} off.`
    } else go('prices', { ...params, hide: off.join(',') })
  }
  return h(
    'details',
    { class: 'chooser' },
    h('summary', {}, `${facts.commodities.length - hidden.size} of ${facts.commodities.length} commodities`),
    h(
      'div',
      { class: 'boxes' },
      boxes.map(({ label }) => label),
    ),
    advice,
    h('button', { type: 'button', class: 'quiet', onclick: apply }, 'Show these'),
  )
}
