/** Structures of the flows, and which keys have data. */

import { ProblemError } from '../../contracts/problems.ts'
import { type Answer, textAnswer } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler } from '../execute.ts'
import { shown } from '../refusals.ts'
import { artefacts, type SdmxArtefact } from './artefacts.ts'
import {
  type AvailabilityQuestion,
  availabilityQuestion,
  availableArtefacts,
  readAvailability,
} from './availability.ts'
import { availabilityJson, availabilityXml } from './availability-encoding.ts'
import { sdmxCalls } from './calls.ts'
import { chosenFormat, type Format, mediaTypeOf } from './media.ts'
import { referenced } from './references.ts'
import type { SdmxInput } from './sdmx-plugin.ts'
import { type StructureQuestion, structureQuestion } from './structure-question.ts'
import { structuresJson } from './structures-json.ts'
import { structuresXml, type Told, type ToldArtefact } from './structures-xml.ts'

type Deps = Pick<ApiDeps, 'history' | 'releaseIndex' | 'clock' | 'apiBase'>
/** The form of the answer. */
type Formed = { readonly form: Format }

const xml: Format = { type: 'application/vnd.sdmx.structure+xml', version: '2.1' }
const structureFormats: readonly Format[] = [
  xml,
  { type: 'application/vnd.sdmx.structure+json', version: '2.0.0' },
  { type: 'application/json' },
]

export const structureHandlers = (deps: Deps): Handlers => ({
  [sdmxCalls.structure.id]: handler<SdmxInput, StructureQuestion & Formed>({
    ask: ({ params, query }) => ({
      ...structureQuestion({ params, query }),
      form: chosenFormat(params.accept, structureFormats),
    }),
    answer: (question) => answerStructures(deps, question),
  }),
  [sdmxCalls.availability.id]: handler<SdmxInput, AvailabilityQuestion & Formed>({
    needsSlot: true,
    ask: (input) => ({
      ...availabilityQuestion(input, deps.clock()),
      form: chosenFormat(input.params.accept, structureFormats),
    }),
    answer: (question) => answerAvailability(deps, question),
  }),
})

function answerStructures(deps: Deps, { types, ids, references, detail, form }: StructureQuestion & Formed): Answer {
  const all = artefacts(deps)
  const found = all.filter(({ type, id }) => types.includes(type) && (ids === undefined || ids.includes(id)))
  if (found.length === 0) throw nothing(types, ids ?? [], all)
  const [own, others] = told[detail]
  const parts = [
    ...found.map((artefact) => ({ artefact, told: own })),
    ...referenced(found, references, all).map((artefact) => ({ artefact, told: others })),
  ]
  const encode = form === xml ? structuresXml : structuresJson
  return messageOf(encode(parts, deps.clock(), deps.apiBase), form)
}

async function answerAvailability(deps: Deps, question: AvailabilityQuestion & Formed): Promise<Answer> {
  const available = await readAvailability(deps, question)
  const parts = availableArtefacts(deps, available, question.references).map(
    (artefact): ToldArtefact => ({ artefact, told: 'full' }),
  )
  const [now, base] = [deps.clock(), deps.apiBase]
  const body =
    question.form === xml
      ? structuresXml(parts, now, base, availabilityXml(available))
      : structuresJson(parts, now, base, [availabilityJson(available)])
  return messageOf(body, question.form)
}

const messageOf = (body: string, format: Format): Answer => ({
  ...textAnswer(body, mediaTypeOf(format)),
  // Fastify would add a charset to the type of a JSON text, and clients choose their reader by the exact type.
  bytes: Buffer.from(body),
})

/** How much is told of what was asked for, and of what belongs to it. */
const told: Readonly<Record<StructureQuestion['detail'], readonly [Told, Told]>> = {
  full: ['full', 'full'],
  raw: ['full', 'full'],
  allstubs: ['stub', 'stub'],
  allcompletestubs: ['complete-stub', 'complete-stub'],
  referencestubs: ['full', 'stub'],
  referencecompletestubs: ['full', 'complete-stub'],
}

function nothing(types: readonly string[], ids: readonly string[], all: readonly SdmxArtefact[]): ProblemError {
  const known = all.filter(({ type }) => types.includes(type)).map(({ id }) => id)
  const named = ids.length > 0 ? ` ${shown(ids.join(', '))}` : ''
  const detail = `No ${types.join(', ')}${named} of this agency and version. There are ${known.join(', ')}.`
  return new ProblemError('no_complete_publication', detail)
}
