import { Lineage } from '../../domain/lineage.ts'

/** The line of a journal that was never restored. */
export const firstGeneration = (id: string): Lineage => new Lineage({ id, generations: [] })
