/** Which structures belong to others. */

import { CONCEPT_SCHEME, type SdmxArtefact } from './artefacts.ts'
import { type StructureType, structureTypes } from './calls.ts'

/** What a request for structures takes besides. A type of structures means those of this type that belong to the found ones. */
export const referenceChoices = [
  ...(['none', 'children', 'descendants', 'parents', 'ancestors', 'parentsandsiblings', 'all'] as const),
  ...structureTypes,
] as const
type References = (typeof referenceChoices)[number]

/** The structures that belong to some, without these themselves. */
export function referenced(
  found: readonly SdmxArtefact[],
  references: References,
  all: readonly SdmxArtefact[],
): readonly SdmxArtefact[] {
  const wanted = new Set(related(found, references, all))
  return all.filter((artefact) => wanted.has(artefact) && !found.includes(artefact))
}

function related(
  found: readonly SdmxArtefact[],
  references: References,
  all: readonly SdmxArtefact[],
): readonly SdmxArtefact[] {
  const children = (of: readonly SdmxArtefact[]) => all.filter((one) => of.some((each) => hasChild(each, one)))
  const parents = (of: readonly SdmxArtefact[]) => all.filter((one) => of.some((each) => hasChild(one, each)))
  // No chain is longer than flow, structure, code list.
  const descendants = [...children(found), ...children(children(found))]
  const ancestors = [...parents(found), ...parents(parents(found))]
  const siblings = [...parents(found), ...children(parents(found))]
  const isOf = (type: StructureType) => (one: SdmxArtefact) => one.type === type
  switch (references) {
    case 'none':
      return []
    case 'children':
      return children(found)
    case 'descendants':
      return descendants
    case 'parents':
      return parents(found)
    case 'ancestors':
      return ancestors
    case 'parentsandsiblings':
      return siblings
    case 'all':
      return [...siblings, ...descendants]
    default:
      return [...ancestors, ...descendants].filter(isOf(references))
  }
}

function hasChild(parent: SdmxArtefact, child: SdmxArtefact): boolean {
  if (parent.type === 'dataflow') return child.type === 'datastructure' && child.id === parent.structure
  if (parent.type !== 'datastructure') return false
  if (child.type === 'conceptscheme') return child.id === CONCEPT_SCHEME
  const components = [...parent.dimensions, ...parent.observationAttributes]
  return child.type === 'codelist' && components.some(({ codelist }) => codelist === child.id)
}
