import { rowPerRecord } from '../../view.ts'

/** Rejected inputs for operators, with origin and reason. Only the first part of a large input gives a row. */
export const quarantine = rowPerRecord({
  name: 'quarantine',
  topic: 'quarantine',
  table: new URL('./table.sql', import.meta.url),
  where: ({ part }) => part === 1,
  marker: { retrieved_at: 0, recorded_at: 0, parts: 0 },
  cells: {
    source: ({ source }) => source,
    reason: ({ reason }) => reason,
    input_id: ({ input_id }) => input_id,
    dataset: ({ dataset }) => dataset,
    url: ({ url }) => url,
    detail: ({ detail }) => detail,
    location: ({ location }) => location,
    retrieved_at: ({ retrieved_at }) => retrieved_at,
    recorded_at: ({ recorded_at }) => recorded_at,
    sha256: ({ sha256 }) => sha256,
    parts: ({ parts }) => parts,
  },
})
