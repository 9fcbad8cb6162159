import type { MappedPublisher } from '../mapping.ts'

/** The publishers of the mapping by the names of their sources. Each is loaded only where it is used. */
export const mappedPublishers = {
  oecd: async () => (await import('./oecd.ts')).oecdMapping,
  eurostat: async () => (await import('./eurostat.ts')).eurostatMapping,
  ilo: async () => (await import('./ilo.ts')).iloMapping,
  unctad: async () => (await import('./unctad.ts')).unctadMapping,
  bls: async () => (await import('./bls.ts')).blsMapping,
  abs: async () => (await import('./abs.ts')).absMapping,
  statcan: async () => (await import('./statcan.ts')).statCanMapping,
  census: async () => (await import('./census.ts')).censusMapping,
  dosm: async () => (await import('./dosm.ts')).dosmMapping,
  ons: async () => (await import('./ons.ts')).onsMapping,
  singstat: async () => (await import('./singstat.ts')).singStatMapping,
  insee: async () => (await import('./insee.ts')).inseeMapping,
  cbs: async () => (await import('./cbs.ts')).cbsMapping,
  destatis: async () => (await import('./destatis.ts')).destatisMapping,
} satisfies Readonly<Record<string, () => Promise<MappedPublisher>>>
