import { loadConfig } from './config.ts'

/** Exit code 0 if every process of this container can do its work: its health check. */
const { roles, admin } = loadConfig(process.env)
const isNode = roles.some((role) => role !== 'streams' && role !== 'store')
const ports = [...(isNode ? [admin.port] : []), ...(roles.includes('streams') ? [admin.port + 1] : [])]
const answers = await Promise.all(
  ports.map((port) =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
)
process.exit(answers.every(Boolean) ? 0 : 1)
