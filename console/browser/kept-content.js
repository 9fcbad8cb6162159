/**
 * What a view shows stays at hand until something else has been read in its place: if the service can't be reached meanwhile,
 * it is shown again.
 *
 * @template N a node
 * @param {{ readonly childNodes: Iterable<N>, readonly replaceChildren: (...nodes: N[]) => void }} container
 */
export function keptContent(container) {
  let dropping = new AbortController()
  let isRead = false
  /** @type {{ readonly nodes: readonly N[], readonly dropping: AbortController } | undefined} */
  let kept
  const forget = () => {
    kept?.dropping.abort()
    kept = undefined
  }
  return {
    /**
     * Empties the container for what is read next. The signal ends it, once it can't be shown again.
     *
     * @param {boolean} isSame whether it is of the same view
     */
    begin(isSame) {
      // What was not read to its end is not shown again.
      if (isSame && isRead) kept = { nodes: [...container.childNodes], dropping }
      else dropping.abort()
      if (!isSame) forget()
      dropping = new AbortController()
      isRead = false
      container.replaceChildren()
      return dropping.signal
    },
    /** What is in the container stays. */
    settle() {
      isRead = true
      forget()
    },
    /** Shows again what was shown before. False: there is nothing. */
    restore() {
      if (!kept) return false
      dropping.abort()
      container.replaceChildren(...kept.nodes)
      dropping = kept.dropping
      kept = undefined
      isRead = true
      return true
    },
  }
}
