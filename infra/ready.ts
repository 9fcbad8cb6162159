import { adminAddresses } from './admin-addresses.ts'
import { loadConfig } from './config.ts'

/** Health check of a container. Exits with 0 if every process in it is ready. */
const { roles, admin } = loadConfig(process.env)
if (admin.port === 0) {
  console.error('ALMANAC_ADMIN_PORT is 0, so the health check cannot ask for readiness: set it, e.g. to 8090')
  process.exit(1)
}
const answers = await Promise.all(
  adminAddresses(admin, roles).map((address) =>
    fetch(`${address}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
)
process.exit(answers.every(Boolean) ? 0 : 1)
