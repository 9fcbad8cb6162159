import { expect, it } from 'vitest'
import { RefusalReport } from '../../cli/processes/refusal-report.ts'

it('refused connections are logged at once, then in sums every 10 s, with the setting to look at', () => {
  const lines: string[] = []
  const warn = (fields: object, message: string) => lines.push(`${JSON.stringify(fields)} ${message}`)
  const report = new RefusalReport('http', { warn })
  for (let now = 0; now < 20_000; now += 10) report.add('192.0.2.1', 'address', now)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/"refused":1,.*192\.0\.2\.1.*ALMANAC_TRUSTED_PROXIES/)
  expect(lines[1]).toMatch(/"refused":1000,/)
})
