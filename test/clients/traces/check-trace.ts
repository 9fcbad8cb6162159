import { inputOf, type Trace } from './trace.ts'

const needTimer = ['connecting', 'subscribing', 'streaming', 'paused', 'ending', 'waiting']

/**
 * The promises of a client, judged on a trace without knowledge of the table. Returns what is broken:
 * each event once and in order, none left out of those that came; every subscribe at the place behind the last delivery;
 * never two sockets; the attempts that the user allowed before it gives up; a timer where one is needed; nothing after the end.
 */
export function brokenPromises({ options, steps }: Trace): string[] {
  const broken: string[] = []
  let place = options.cursor
  let last = ''
  let isOpen = false
  let isPaused = false
  let hasTimer = false
  let before = 'idle'
  /** Connections since data last came. */
  let attempts = 0
  /** Sequences that came on any connection, since the place was last moved. */
  const came = new Set<string>()
  const delivered = new Set<string>()
  steps.forEach(({ input, state, effects }, index) => {
    const fault = (text: string) => broken.push(`step ${index + 1}: ${text}`)
    const { on, message, status } = inputOf(input)
    const event = message?.event as { sequence: string; cursor: string } | undefined
    const wasOver = before === 'closed' || before === 'failed'
    if (wasOver && (effects.length > 0 || state !== before)) fault('something happens after the end')
    if (on === 'closed' || on === 'refused') isOpen = false
    if (on === 'timeout' || state !== before) hasTimer = false
    if (on === 'data' && event && isOpen && ['streaming', 'paused'].includes(before)) came.add(event.sequence)
    if (['data', 'checkpoint', 'heartbeat', 'caught_up'].includes(on) && ['streaming', 'paused'].includes(before))
      attempts = 0
    const hasGivenUp =
      !wasOver && state === 'failed' && (on === 'timeout' || (on === 'refused' && status === undefined))
    if (hasGivenUp && attempts !== options.max_attempts) fault(`gives up after ${attempts} attempts`)
    for (const effect of effects) {
      if (effect.do === 'connect') attempts++
      if (effect.do === 'deliver' && event) {
        if (event.sequence <= last) fault(`${event.sequence} is delivered after ${last}`)
        if (effect.cursor !== event.cursor) fault('the cursor of another event')
        last = event.sequence
        delivered.add(last)
      }
      if (effect.do === 'deliver' || effect.do === 'mark') place = effect.cursor ?? place
      if (effect.do === 'moved') {
        place = effect.cursor
        last = ''
        came.clear()
        delivered.clear()
      }
      if (effect.do === 'subscribe' && effect.cursor !== place) fault(`subscribes at ${effect.cursor}, not at ${place}`)
      if (effect.do === 'connect') {
        if (isOpen) fault('a second socket')
        isOpen = true
        isPaused = false
      }
      if (effect.do === 'close') isOpen = false
      if (effect.do === 'pause' && (isPaused || !isOpen)) fault('pauses what does not flow')
      if (effect.do === 'resume' && (!isPaused || !isOpen)) fault('resumes what is not paused')
      if (effect.do === 'pause') isPaused = true
      if (effect.do === 'resume') isPaused = false
      if (effect.do === 'timer') {
        hasTimer = true
        if (!Number.isInteger(effect.ms) || effect.ms < 0) fault(`a timer of ${effect.ms} ms`)
      }
    }
    if (needTimer.includes(state) && !hasTimer) fault(`no timer in ${state}`)
    if (['waiting', 'parked', 'closed', 'failed'].includes(state) && isOpen) fault(`an open socket in ${state}`)
    before = state
  })
  for (const sequence of came) if (!delivered.has(sequence)) broken.push(`${sequence} came and was not delivered`)
  return broken
}
