// A reporter of vitest: prints the slowest files of a run with their seconds, loading and hooks included.
import { relative } from 'node:path'

const COUNT = 30

export default class Slowest {
  #seconds = []

  onTestModuleEnd(module) {
    const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic()
    const milliseconds = prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration
    this.#seconds.push([milliseconds / 1_000, relative(process.cwd(), module.moduleId)])
  }

  onTestRunEnd() {
    const slowest = this.#seconds.toSorted(([a], [b]) => b - a).slice(0, COUNT)
    const sum = this.#seconds.reduce((total, [seconds]) => total + seconds, 0)
    console.log(
      `\nThe ${slowest.length} slowest of ${this.#seconds.length} files, which took ${sum.toFixed(0)} s in all`,
    )
    for (const [seconds, file] of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`)
  }
}
