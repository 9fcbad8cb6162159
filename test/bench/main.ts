/** `npm run bench -- rest journal projector`: each figure beside its ceiling, in one run. Without names: all of them. */
import type { Measure } from './measure.ts'

const benches: Readonly<Record<string, () => Promise<{ bench(): Promise<readonly Measure[]> }>>> = {
  rest: () => import('./rest.ts'),
  journal: () => import('./journal.ts'),
  kafka: () => import('./kafka.ts'),
  projector: () => import('./projector.ts'),
  streams: () => import('./streams.ts'),
  console: () => import('./console.ts'),
  archive: () => import('./archive.ts'),
  sources: () => import('./sources.ts'),
}
const names = process.argv.slice(2)
const unknown = names.filter((name) => !benches[name])
if (unknown.length > 0) {
  process.stderr.write(`no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}
const number = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2))
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  const measures = (await (await benches[name]?.())?.bench()) ?? []
  process.stdout.write(
    `\n${name.padEnd(44)} ${'ours'.padStart(12)} ${'ceiling'.padStart(12)} ${'ratio'.padStart(7)}  goal\n`,
  )
  for (const { name: what, ours, ceiling, unit, goal, isLimit = (goal ?? 0) > 1 } of measures) {
    const ratio = `${Math.round((100 * ours) / ceiling)} %`
    const aim = goal === undefined ? '' : `${isLimit ? '≤' : '≥'} ${goal * 100} %`
    process.stdout.write(
      `  ${what.padEnd(42)} ${number(ours).padStart(12)} ${number(ceiling).padStart(12)} ${ratio.padStart(7)}  ${aim.padEnd(8)} ${unit}\n`,
    )
  }
}
process.exit(0)
