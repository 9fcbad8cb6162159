import type { ByteRange } from '../../archive/objects.ts'

/**
 * The bytes that a Range header asks for (RFC 9110, 14.1.2). Undefined for the whole: without the header, and with one of
 * several ranges or another unit, which a server may ignore. `unsatisfiable` if no byte of the file is in the range.
 */
export function rangeIn(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  const start = Number(first)
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
