// Reads the page again every ten seconds and replaces what changes. Without it, the page is as it was loaded.
const live = document.getElementById('live')
const away = document.getElementById('away')
const refresh = document.querySelector('.refresh')
const paused = document.getElementById('paused')
const chosen = 'summary, a'

const replace = (page) => {
  const open = Array.from(live.querySelectorAll('details'), (one) => one.open)
  const focused = [...live.querySelectorAll(chosen)].indexOf(document.activeElement)
  document.title = page.title
  live.innerHTML = page.getElementById('live').innerHTML
  live.querySelectorAll('details').forEach((one, i) => {
    one.open = open[i] ?? false
  })
  live.querySelectorAll(chosen)[focused]?.focus({ preventScroll: true })
}

const isSelected = () => !getSelection().isCollapsed
const tellPause = () => {
  const text = isSelected() && refresh.querySelector('input').checked ? ', paused while text is selected' : ''
  // Written only if it differs, because a screen reader announces each change.
  if (paused.textContent !== text) paused.textContent = text
}

const readAgain = async () => {
  // What somebody is about to copy stays.
  if (document.hidden || !refresh.querySelector('input').checked || isSelected()) return
  try {
    // Not by the page's own address: one with a password in it cannot be fetched.
    const answer = await fetch(location.origin + location.pathname, { signal: AbortSignal.timeout(8_000) })
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    replace(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    away.textContent = ''
  } catch (error) {
    away.textContent ||= `No answer since ${new Date().toISOString().slice(11, 19)}: what is shown is from before. (${error.message})`
  }
}

refresh.hidden = false
document.addEventListener('selectionchange', tellPause)
refresh.addEventListener('change', tellPause)
setInterval(readAgain, 10_000)
