import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Two more listeners on each node. `SASL` accepts PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512. `MUTUAL` accepts clients with a
 * certificate of the authority. All texts are PEM; the key is PKCS #8.
 */
export type KafkaTls = {
  /** Certificate of the nodes, for 127.0.0.1. */
  readonly certificate: string
  readonly key: string
  /** Certificate of the authority that signed the clients' certificates. */
  readonly authority: string
  /**
   * Passwords by user. For SCRAM they are stored when the data directory is formatted; a later start does not change
   * them.
   */
  readonly users: Readonly<Record<string, string>>
}

export type TlsListener = 'SASL' | 'MUTUAL'
export type TlsPorts = Readonly<Record<TlsListener, number>>

const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512']

/** Writes a node's key and authority into `dir`. Returns its settings, with the TLS listeners added to those in `plain`. */
export async function prepareTls(
  dir: string,
  { certificate, key, authority, users }: KafkaTls,
  ports: TlsPorts,
  plain: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const [keyFile, authorityFile] = [join(dir, 'key.pem'), join(dir, 'authority.pem')]
  await writeFile(keyFile, key + certificate, { mode: 0o600 })
  await writeFile(authorityFile, authority)
  const listeners = Object.entries(ports).map(([name, port]) => `${name}://127.0.0.1:${port}`)
  const extended = (name: string, ...more: string[]) => ({ [name]: [plain[name], ...more].join(',') })
  const passwords = Object.entries(users).map(([name, password]) => `user_${name}="${password}"`)
  const login = (module: string) => `org.apache.kafka.common.security.${module} required`
  const scram = SCRAM.map((mechanism) => [jaas(mechanism), `${login('scram.ScramLoginModule')};`])
  return {
    ...extended('listeners', ...listeners),
    ...extended('advertised.listeners', ...listeners),
    ...extended('listener.security.protocol.map', 'SASL:SASL_SSL', 'MUTUAL:SSL'),
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keyFile,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': authorityFile,
    'listener.name.mutual.ssl.client.auth': 'required',
    'listener.name.sasl.sasl.enabled.mechanisms': ['PLAIN', ...SCRAM].join(','),
    [jaas('PLAIN')]: `${login('plain.PlainLoginModule')} ${passwords.join(' ')};`,
    ...Object.fromEntries(scram),
  }
}

const jaas = (mechanism: string) => `listener.name.sasl.${mechanism.toLowerCase()}.sasl.jaas.config`

/** Arguments that make Kafka's storage tool create the users of SCRAM. */
export const scramUsers = ({ users }: KafkaTls): string[] =>
  Object.entries(users).flatMap(([name, password]) =>
    SCRAM.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${name},password=${password}]`]),
  )
