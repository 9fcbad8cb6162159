import type { EventRecord, Signal } from '../contracts/records.ts'
import { derivedId } from './ids.ts'

export const eventOfSignal = (signal: Signal, sequence: number): EventRecord => ({
  sequence,
  id: derivedId('evt', signal.signal_id),
  type: signal.type,
  source: `/almanac/${signal.family}`,
  family: signal.family,
  country: signal.country,
  subject: signal.subject,
  time: signal.time,
  dataschema: signal.dataschema,
  data: signal.data,
})
