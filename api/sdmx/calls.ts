import type { Executable } from '../execute.ts'

/** The tag of the calls of this surface, which are no operations of /v1. */
const SDMX = 'SDMX'

/** A request of this surface as the executor and the handlers of a day know it. */
type SdmxCall = Executable & { readonly tag: typeof SDMX }

/** Each request is one call of the quota. */
const call = (id: string): SdmxCall => ({ id, access: 'charged', tag: SDMX })

export const sdmxCalls = {
  structure: call('sdmx_structure'),
  availability: call('sdmx_availability'),
  data: call('sdmx_data'),
} as const

export const isSdmxCall = ({ tag }: { readonly tag: string }): boolean => tag === SDMX
