/** The alert rules as Prometheus itself reads them: `promtool` is in Debian's package `prometheus`. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { USER_PREFIX } from '../../projections/migrate.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { infra } from './container-files.ts'

const rules = `${infra}prometheus/rules.yaml`
const isMissing = spawnSync('promtool', ['--version']).status !== 0
/** A missing promtool is a failure in CI. */
const hasNoPromtool = isMissing && process.env.CI !== 'true'

function promtool(...args: string[]) {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { encoding: 'utf8' })
  if (error) throw error
  return { status, said: stdout + stderr }
}

/** Series of 30 minutes by their names, and the views for which read models are reported as behind after 15. */
async function testLag(lags: Readonly<Record<string, number>>, reported: readonly string[]) {
  const file = join(await temporaryDirectory(), 'test.yaml')
  const test = {
    rule_files: [rules],
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(lags).map(([view, lag]) => ({
          series: `almanac_projection_lag_offsets{job="almanac", instance="a:9464", view="${view}"}`,
          values: `${lag}x30`,
        })),
        alert_rule_test: [
          {
            eval_time: '15m',
            alertname: 'AlmanacReadModelBehind',
            exp_alerts: reported.map((view) => ({
              exp_labels: { severity: 'warning', view },
              exp_annotations: {
                summary: `The read model ${view} is ${lags[view]} offsets behind the journal`,
              },
            })),
          },
        ],
      },
    ],
  }
  // JSON is YAML.
  await writeFile(file, JSON.stringify(test))
  return promtool('test', 'rules', file)
}

describe.skipIf(hasNoPromtool)('rules.yaml', () => {
  it('is what Prometheus takes', () => {
    expect(promtool('check', 'rules', rules)).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') })
  })

  it("reports a read model that is behind, and no user's table", async () => {
    const lags = {
      events: 5_001,
      vintages: 5_000,
      [`${USER_PREFIX}gdp`]: 900_000,
      [USER_PREFIX]: 900_000,
      users: 6_000,
    }
    expect(await testLag(lags, ['events', 'users'])).toMatchObject({ status: 0 })
    // A check that could not fail would prove nothing.
    expect((await testLag(lags, ['events', 'users', `${USER_PREFIX}gdp`])).status).toBe(1)
  })
})
