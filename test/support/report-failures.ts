import { afterEach } from 'vitest'
import { lastWords } from './service.ts'

/** A test that fails only on a busy machine cannot be asked again: what its services logged is printed with it. */
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(`the services of ${task.name} said last:\n${lastWords()}`)
})
