/**
 * Every bound on the cost of one document. Each is far above the largest real document of any source today; "Real"
 * below is the largest one measured. `docs/decisions/0013-parser-process.md` says how.
 */
const MIB = 1024 * 1024

/** Limits that the parsers check before they build anything, or while they do, so that a refusal is cheap and names the limit. */
export const documentLimits = {
  /** Bytes of one document, and characters of its text. Real: 3.3 MB. */
  bytes: 64 * MIB,
  /** Bytes of a local file that is read in pieces, so that memory does not grow with it. Measured with made files of 200 MB. */
  fileBytes: 256 * MIB,
  /** Bytes up to which a local file is read whole. A larger one is read in pieces where its format allows that. */
  wholeFileBytes: 8 * MIB,
  /** Bytes that an archive declares for all its entries. Real: 3.9 MB (the World Bank's workbook). */
  unpackedBytes: 64 * MIB,
  /** The same for an archive whose table is read in pieces. Real: 158 MB (consumer prices of Statistics Canada). */
  tableBytes: 1_024 * MIB,
  /** Entries of an archive. Real: 27 (the World Bank's workbook). */
  zipEntries: 1_000,
  /** Elements of one XML document; each costs about 0.8 KB. Real: 119,821 (a sheet of the workbook). */
  xmlElements: 1_000_000,
  xmlAttributes: 4_000_000,
  /** Attributes of one XML element. Real: 20 (derivatives of the BIS, in SDMX-ML). */
  xmlElementAttributes: 1_000,
  /** Depth of nested elements. Real: 6. */
  xmlDepth: 64,
  /** Cells of one table, or of what is in memory of one that is read in pieces, counted as separators and line ends; each costs about 0.15 KB. Real: 405,361 (BIS). */
  csvCells: 5_000_000,
  /** Columns of one header, which some readers compare pairwise. Real: 1,681 (BIS, a column for each period). */
  csvColumns: 20_000,
  /** Bytes of one row, which is kept whole where it is rejected. Real: 18 KB (BIS). */
  csvRowBytes: MIB,
  /** Numbers, texts, objects and arrays of one JSON document; each costs about 0.15 KB. Real: 140,584 (World Bank). */
  jsonValues: 3_000_000,
  /** Depth of nested values. Real: 4. The platform's own readers overflow the stack at some thousands. */
  jsonDepth: 64,
  /** Rows of a file in Almanac's own format; each costs about 1.2 KB. Real: 265,014 (a day of ticks of gold). */
  fileRows: 1_000_000,
} as const

/** Limits of the parser process that the operating system and V8 enforce, whatever a document makes it do. */
export const processLimits = {
  /** JavaScript heap, MiB. The largest document within `documentLimits` takes about 900. */
  heapMib: 1_152,
  /** All writable memory of the process, MiB: the heap and also buffers, which V8's limit does not count. */
  memoryMib: 1_536,
  /** CPU time of the process, s. It is replaced after `replaceAfterCpuMs`, so a document has at least half of this. */
  cpuSeconds: 120,
  replaceAfterCpuMs: 60_000,
  /** Total wait for the parser's answers to one document, ms; long, because a busy machine slows everything. */
  waitMs: 600_000,
  /** Memory after a document, bytes, beyond which the process is replaced. */
  replaceAboveBytes: 512 * MIB,
  /** Idle time after which the process ends, ms. */
  idleMs: 15_000,
} as const

/** Limits of one batch from the parser process, and of one item. Sizes are characters of text. */
export const batchLimits = {
  items: 1_000,
  chars: 256 * 1024,
  /** Size of one figure or price. */
  itemChars: 16 * 1024,
} as const

/** Limits of the texts and bytes that quarantine keeps. Texts are cut between characters and marked; see `cut.ts`. */
export const keptLimits = {
  /** Reason text, bytes of UTF-8. */
  detail: 2_000,
  location: 300,
  /** Dataset and address, bytes of UTF-8. A publisher or a file name gives them. */
  name: 1_000,
  /** Bytes of a document that could not be read; the SHA-256 and the address name the rest. */
  documentBytes: 8 * MIB,
  /** Bytes of one rejected row. Real: 18 KB (BIS). */
  rowBytes: 256 * 1024,
  /** Rejected rows of one document that get a record each, and the total of their bytes. Further rows are counted. */
  rows: 10_000,
  rowsBytes: 32 * MIB,
} as const
