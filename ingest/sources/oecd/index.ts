import { mappedSource } from '../../mapping/mapped-source.ts'
import { oecdMapping } from '../../mapping/publishers/oecd.ts'
import type { Source } from '../../source.ts'
import type { RemoteOptions } from '../shared/fetch-documents.ts'

/** The OECD: growth of real GDP and unemployment of its members and partners. */
export const oecd = (options: RemoteOptions = {}): Source => mappedSource(oecdMapping, 'sdmx.oecd.org', options)
