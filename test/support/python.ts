import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clientsFolder } from '../../clients/generate/artifacts.ts'

export const pythonFolder = join(clientsFolder, 'python')

/** The Python with the packages that tests need: `clients/python/make-venv` makes it. */
export const python = join(pythonFolder, '.venv/bin/python')

/** Whether tests that need Python are left out: never in CI, where a missing Python is a failure. */
export const hasNoPython = !existsSync(python) && process.env.CI !== 'true'
if (hasNoPython)
  console.warn('Tests with Python: skipped, because clients/python/.venv is missing (run clients/python/make-venv)')

/** What a program wrote to its standard error, without what asyncio remarks when a pong meets a connection that is gone. */
export const complaintsIn = (stderr: string): string => stderr.replaceAll('socket.send() raised exception.\n', '')
