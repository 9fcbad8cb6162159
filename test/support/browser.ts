import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** The browser of this machine; undefined if it has none. */
const browserName = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

/** Whether tests in a browser are left out: never in CI, where a missing browser is a failure. */
export const hasNoBrowser = browserName === undefined && process.env.CI !== 'true'

export type View = { readonly width: number; readonly height?: number; readonly dark?: boolean }

const keyCodes = { Tab: 9, Enter: 13, ArrowDown: 40, ArrowLeft: 37, Home: 36 } as const

type Place = { readonly x: number; readonly y: number }
/** Moves of a drag: the browser tells a drag from a tap by the first ones. */
const DRAG_STEPS = 8

/** A tab of a real browser. */
export type Tab = {
  view(view: View): Promise<void>
  /** Goes to an address, waits until it is loaded, and returns the status of the answer. */
  open(url: string): Promise<number>
  /** Waits until the page that `act` leads to is loaded. */
  leave(act: () => Promise<unknown>): Promise<void>
  /** Runs a script in each document that is opened from now on, before the document's own. */
  prepare(script: string): Promise<void>
  /** The value of an expression in the page; promises are awaited. Rejects with what the page throws. */
  evaluate<T>(expression: string): Promise<T>
  /** Addresses of the frames in the page that have loaded. A browser shows a page of its own in a frame that it refuses. */
  frames(): Promise<string[]>
  /** What the page holds once its garbage is collected: bytes of its program's heap, nodes and listeners of its documents. */
  held(): Promise<{ heapBytes: number; nodes: number; listeners: number }>
  /** Forgets the answers that the browser keeps, so that the next page asks for all. */
  forgetAnswers(): Promise<void>
  press(key: keyof typeof keyCodes): Promise<void>
  /** Presses a button of the mouse, or a finger, at a place of the screen, moves it to another in steps, and lets go. */
  drag(pointer: 'mouse' | 'finger', from: Place, to: Place): Promise<void>
  /** Types a text into what has the focus. */
  type(text: string): Promise<void>
  /** The whole page, or only what the first screen shows, as PNG. */
  screenshot(path: string, part?: 'page' | 'screen'): Promise<void>
}

export type Browser = {
  newTab(): Promise<Tab>
  /** Stops all its processes, or tells them to go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  close(): Promise<void>
}

type Message = {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: { readonly name?: string; readonly loaderId?: string }
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}
type Send = (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>
/** Resolves once a document that `isWanted` has been loaded in a tab. */
type Loaded = (sessionId: string, isWanted: (document: string) => boolean) => Promise<void>

/** Starts the browser with an empty profile, and speaks the DevTools protocol with it over a pipe. */
export async function openBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'almanac-browser-'))
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe']
  const child = spawn(browserName ?? 'chromium', [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    // A group of its own, to end all its processes.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const answers = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  /** Id of the document that was loaded last, by tab. */
  const documents = new Map<string, string>()
  const watchers = new Set<(sessionId: string, document: string) => void>()
  const take = ({ id, sessionId = '', method, params, result = {}, error }: Message) => {
    if (method === 'Page.lifecycleEvent' && params?.name === 'load' && params.loaderId !== undefined) {
      documents.set(sessionId, params.loaderId)
      for (const watch of watchers) watch(sessionId, params.loaderId)
    }
    const answer = id === undefined ? undefined : answers.get(id)
    if (error) answer?.reject(new Error(error.message))
    else answer?.resolve(result)
  }
  let rest = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = `${rest}${chunk}`.split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) take(JSON.parse(message))
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void ended.then(() => {
    for (const waiting of answers.values()) waiting.reject(new Error('the browser has ended'))
  })
  let sent = 0
  const send: Send = (method, params = {}, sessionId = undefined) => {
    const id = ++sent
    const answer = Promise.withResolvers<Record<string, unknown>>()
    answers.set(id, answer)
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return answer.promise.finally(() => answers.delete(id))
  }
  const loaded: Loaded = (sessionId, isWanted) => {
    const load = Promise.withResolvers<void>()
    const watch = (session: string, document: string) => {
      if (session === sessionId && isWanted(document)) load.resolve()
    }
    watchers.add(watch)
    const last = documents.get(sessionId)
    if (last !== undefined) watch(sessionId, last)
    return load.promise.finally(() => watchers.delete(watch))
  }
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name)
  return {
    newTab: () => newTab(send, loaded),
    signal,
    async close() {
      signal('SIGKILL')
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

async function newTab(sendTo: Send, loaded: Loaded): Promise<Tab> {
  const { targetId } = await sendTo('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await sendTo('Target.attachToTarget', { targetId, flatten: true })
  const session = String(sessionId)
  const send = (method: string, params?: object) => sendTo(method, params, session)
  await send('Page.enable')
  await send('Page.setLifecycleEventsEnabled', { enabled: true })
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value: T }; exceptionDetails?: { text: string; exception?: { description?: string } } }
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  /** Id of the open document. Every document that is loaded has its own. */
  const currentDocument = async (): Promise<string> => {
    const { frameTree } = (await send('Page.getFrameTree')) as { frameTree: { frame: { loaderId: string } } }
    return frameTree.frame.loaderId
  }
  return {
    evaluate,
    async frames() {
      type Tree = { childFrames?: { frame: { url: string; unreachableUrl?: string } }[] }
      const { frameTree } = (await send('Page.getFrameTree')) as { frameTree: Tree }
      return (frameTree.childFrames ?? []).flatMap(({ frame }) => (frame.unreachableUrl ? [] : [frame.url]))
    },
    async held() {
      await send('HeapProfiler.enable')
      // What a collection lets go of may hold more, which the next one finds.
      for (let i = 0; i < 3; i++) await send('HeapProfiler.collectGarbage')
      const { usedSize } = await send('Runtime.getHeapUsage')
      const { nodes, jsEventListeners } = await send('Memory.getDOMCounters')
      return { heapBytes: Number(usedSize), nodes: Number(nodes), listeners: Number(jsEventListeners) }
    },
    async forgetAnswers() {
      await send('Network.clearBrowserCache')
    },
    async prepare(script) {
      await send('Page.addScriptToEvaluateOnNewDocument', { source: script })
    },
    async leave(act) {
      const before = await currentDocument()
      await act()
      await loaded(session, (document) => document !== before)
    },
    async view({ width, height = 844, dark = false }) {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
      const value = dark ? 'dark' : 'light'
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
    },
    async open(url) {
      // A tab behind another one draws nothing.
      await send('Page.bringToFront')
      const { errorText, loaderId } = await send('Page.navigate', { url })
      if (errorText !== undefined) throw new Error(`${url}: ${errorText}`)
      await loaded(session, (document) => document === loaderId)
      return evaluate<number>(`performance.getEntriesByType('navigation')[0].responseStatus`)
    },
    async press(key) {
      const text = key === 'Enter' ? { text: '\r' } : {}
      const windowsVirtualKeyCode = keyCodes[key]
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode, ...text })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode })
    },
    async drag(pointer, from, to) {
      const at = (part: number) => ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
      const moves = Array.from({ length: DRAG_STEPS }, (_, i) => at((i + 1) / DRAG_STEPS))
      const mouse = (type: string, place: Place) =>
        send('Input.dispatchMouseEvent', { type: `mouse${type}`, ...place, button: 'left', buttons: 1, clickCount: 1 })
      const finger = (type: string, ...touchPoints: Place[]) =>
        send('Input.dispatchTouchEvent', { type: `touch${type}`, touchPoints })
      if (pointer === 'mouse') {
        await mouse('Pressed', from)
        for (const place of moves) await mouse('Moved', place)
        await mouse('Released', to)
      } else {
        await finger('Start', from)
        for (const place of moves) await finger('Move', place)
        await finger('End')
      }
    },
    async type(text) {
      await send('Input.insertText', { text })
    },
    async screenshot(path, part = 'page') {
      const { innerWidth, innerHeight, scrollHeight } = await evaluate<Record<string, number>>(
        '({ innerWidth, innerHeight, scrollHeight: document.documentElement.scrollHeight })',
      )
      const height = part === 'page' ? scrollHeight : innerHeight
      const clip = { x: 0, y: 0, width: innerWidth, height, scale: 1 }
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: part === 'page', clip })
      await writeFile(path, String(data), 'base64')
    },
  }
}
