import { adminAddresses } from './admin-addresses.ts'
import { loadConfig } from './config.ts'

/** Exit code 0 if every process of this container can do its work: its health check. */
const { roles, admin } = loadConfig(process.env)
if (admin.port === 0) {
  console.error('ALMANAC_ADMIN_PORT is 0, so nobody can say whether this container is ready: set it, e.g. to 8090')
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
