/**
 * Reads the cells of one sheet of a legacy Excel workbook (BIFF8 in an OLE compound file), as far as statistical offices'
 * time series need it: numbers and texts. The service reads no `.xls`, in which the World Bank gives its workbooks and
 * the Australian Bureau of Statistics kept its time series.
 * Source: [MS-CFB] and [MS-XLS], https://learn.microsoft.com/en-us/openspecs/office_file_formats/
 */
type XlsCell = string | number

const BOUND_SHEET = 0x85
const SHARED_STRINGS = 0xfc
const CONTINUE = 0x3c
const NUMBER = 0x203
const RK = 0x27e
const MANY_RK = 0xbd
const SHARED_STRING_CELL = 0xfd
const END = 0x0a

type BiffRecord = { readonly type: number; readonly data: Buffer }

/** Rows of cells, both sparse and from 0. Throws where the bytes are no workbook or the sheet isn't in it. */
export function readXlsSheet(bytes: Uint8Array, sheet: string): readonly (readonly (XlsCell | undefined)[])[] {
  const workbook = streamOf(Buffer.from(bytes), 'Workbook')
  const globals = [...recordsFrom(workbook, 0)]
  const texts = sharedStrings(globals)
  const rows: (XlsCell | undefined)[][] = []
  const put = (row: number, column: number, cell: XlsCell | undefined) => {
    rows[row] ??= []
    rows[row][column] = cell
  }
  for (const { type, data } of recordsFrom(workbook, offsetOf(globals, sheet))) {
    if (type === NUMBER) put(data.readUInt16LE(0), data.readUInt16LE(2), data.readDoubleLE(6))
    if (type === RK) put(data.readUInt16LE(0), data.readUInt16LE(2), rkNumber(data.readInt32LE(6)))
    if (type === SHARED_STRING_CELL) put(data.readUInt16LE(0), data.readUInt16LE(2), texts[data.readUInt32LE(6)])
    if (type === MANY_RK) {
      const first = data.readUInt16LE(2)
      for (let i = 0; 4 + i * 6 < data.length - 2; i++) {
        put(data.readUInt16LE(0), first + i, rkNumber(data.readInt32LE(6 + i * 6)))
      }
    }
  }
  return rows
}

/** The date of a serial number: days since 1899-12-30, `YYYY-MM-DD`. */
export const xlsDate = (serial: number): string =>
  new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000).toISOString().slice(0, 10)

/** A stream of the compound file, put together from its chain of sectors. */
function streamOf(file: Buffer, name: string): Buffer {
  if (file.length < 512 || file.readUInt32BE(0) !== 0xd0cf11e0) throw new Error('Not an OLE compound file')
  const sectorSize = 1 << file.readUInt16LE(0x1e)
  const sector = (index: number) => file.subarray((index + 1) * sectorSize, (index + 2) * sectorSize)
  const tableSectors = Array.from({ length: file.readUInt32LE(0x2c) }, (_, i) => {
    if (i >= 109) throw new Error('Compound files above 7 MB are not read')
    return sector(file.readUInt32LE(0x4c + i * 4))
  })
  const next = Buffer.concat(tableSectors)
  const chain = (start: number): Buffer => {
    const sectors: Buffer[] = []
    for (let at = start; at < 0xfffffffa; at = next.readUInt32LE(at * 4)) sectors.push(sector(at))
    return Buffer.concat(sectors)
  }
  const directory = chain(file.readUInt32LE(0x30))
  for (let at = 0; at < directory.length; at += 128) {
    const entry = directory.subarray(at, at + 128)
    const text = entry.toString('utf16le', 0, Math.max(0, entry.readUInt16LE(0x40) - 2))
    if (text === name) return chain(entry.readUInt32LE(0x74)).subarray(0, entry.readUInt32LE(0x78))
  }
  throw new Error(`The compound file has no stream ${name}`)
}

function* recordsFrom(stream: Buffer, offset: number): Generator<BiffRecord> {
  for (let at = offset; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at)
    const length = stream.readUInt16LE(at + 2)
    yield { type, data: stream.subarray(at + 4, at + 4 + length) }
    if (type === END) return
    at += 4 + length
  }
}

function offsetOf(globals: readonly BiffRecord[], sheet: string): number {
  for (const { type, data } of globals) {
    if (type !== BOUND_SHEET) continue
    const wide = (data[7] ?? 0) & 1
    if (data.toString(wide ? 'utf16le' : 'latin1', 8, 8 + (data[6] ?? 0) * (wide ? 2 : 1)) === sheet)
      return data.readUInt32LE(0)
  }
  throw new Error(`The workbook has no sheet ${sheet}`)
}

/** The table of texts that cells point into. A text may go on in the next record, there with a width of its own. */
function sharedStrings(globals: readonly BiffRecord[]): string[] {
  const first = globals.findIndex(({ type }) => type === SHARED_STRINGS)
  if (first < 0) return []
  let part = first
  let { data } = globals[part] as BiffRecord
  let at = 8
  const refill = () => {
    if (at < data.length) return false
    const following = globals[++part]
    if (following?.type !== CONTINUE) throw new Error('The table of texts is cut')
    data = following.data
    at = 0
    return true
  }
  const texts: string[] = []
  const count = data.readUInt32LE(4)
  while (texts.length < count) {
    refill()
    let left = data.readUInt16LE(at)
    const flags = data[at + 2] ?? 0
    at += 3
    let wide = flags & 1
    const runs = flags & 8 ? data.readUInt16LE(at) : 0
    if (flags & 8) at += 2
    const extension = flags & 4 ? data.readUInt32LE(at) : 0
    if (flags & 4) at += 4
    let text = ''
    while (left > 0) {
      if (refill()) wide = (data[at++] ?? 0) & 1
      const taken = Math.min(left, Math.floor((data.length - at) / (wide ? 2 : 1)))
      text += data.toString(wide ? 'utf16le' : 'latin1', at, at + taken * (wide ? 2 : 1))
      at += taken * (wide ? 2 : 1)
      left -= taken
    }
    for (let rest = runs * 4 + extension; rest > 0; ) {
      refill()
      const taken = Math.min(rest, data.length - at)
      at += taken
      rest -= taken
    }
    texts.push(text)
  }
  return texts
}

/** A number in 30 bits: an integer or the upper half of a double, and perhaps times 100. */
function rkNumber(rk: number): number {
  const upper = Buffer.alloc(8)
  upper.writeInt32LE(rk & ~3, 4)
  const value = rk & 2 ? rk >> 2 : upper.readDoubleLE(0)
  return rk & 1 ? value / 100 : value
}
