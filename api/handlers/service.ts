import { caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'

/** Operations about the service itself: its health, and a key's use of it. */
export const serviceHandlers = ({ gate, health }: Pick<ApiDeps, 'gate' | 'health'>, render: Render): Handlers => ({
  health_health_get: handler<OperationInput, undefined>({
    ask: () => undefined,
    answer: () => render('health_health_get', health(), caching.never),
  }),
  account_get_usage: handler({
    ask: (_input, caller) => {
      if (!caller) throw new Error('usage is asked without a caller')
      return caller
    },
    answer: async (caller) => render('account_get_usage', await gate.usage(caller), caching.never),
  }),
})
