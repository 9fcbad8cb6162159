import { surfaceCall } from '../surface.ts'

/** The calls of the SDMX surface and their addresses. */

/** Versions of the interface by the version of SDMX that they belong to: SDMX-REST 1.5 is that of SDMX 2.1, 2.x that of 3.0. */
export const interfaces = ['2.1', '3.0'] as const
export type Interface = (typeof interfaces)[number]

export const addressOf = (version: Interface): string => `/sdmx/${version}`

/** Whether errors of a path are messages of SDMX. */
export const isSdmxPath = (path: string): boolean => /^\/sdmx(?:\/|$)/.test(path)

export const sdmxCalls = {
  structure: surfaceCall('SDMX', 'sdmx_structure'),
  availability: surfaceCall('SDMX', 'sdmx_availability'),
  data: surfaceCall('SDMX', 'sdmx_data'),
} as const

export const isSdmxCall = ({ tag }: { readonly tag: string }): boolean => tag === sdmxCalls.data.tag
