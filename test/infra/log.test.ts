import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const source = join(import.meta.dirname, '../../infra/log.ts')

it.runIf(existsSync('/dev/full'))('ends no process whose log can not be written, on a full disk', () => {
  const program = `import { openLog } from ${JSON.stringify(source)}
    const log = openLog('info', 'TEST')
    for (let i = 0; i < 3; i++) log.warn({ i }, 'TEST')
    setTimeout(() => process.stdout.write('still here'), 50)`
  const { status, stdout } = spawnSync(
    'sh',
    ['-c', '"$0" --input-type=module -e "$1" 2>/dev/full', process.execPath, program],
    { encoding: 'utf8' },
  )
  expect([status, stdout]).toEqual([0, 'still here'])
})
