import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** PEM texts; the key is PKCS #8. */
export type Certificate = { readonly certificate: string; readonly key: string }

/** A private authority, and what it signs: good for a day, made by `openssl`. */
export type Authority = {
  readonly certificate: string
  /** `names`: as in a certificate's subjectAltName, e.g. `IP:127.0.0.1`. */
  sign(commonName: string, names?: string): Promise<Certificate>
}

export async function createAuthority(commonName: string): Promise<Authority> {
  const own = await issue(['-x509', '-days', '1', '-subj', `/CN=${commonName}`])
  return {
    certificate: own.certificate,
    sign: (name, names = 'IP:127.0.0.1') =>
      issue(['-x509', '-days', '1', '-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`], own),
  }
}

async function issue(args: readonly string[], signer?: Certificate): Promise<Certificate> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-certificate-'))
  const at = (name: string) => join(dir, name)
  try {
    if (signer) {
      await writeFile(at('ca.pem'), signer.certificate)
      await writeFile(at('ca.key'), signer.key, { mode: 0o600 })
    }
    const by = signer ? ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'basicConstraints=CA:FALSE'] : []
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    await run('openssl', ['req', ...args, ...curve, ...by, '-keyout', at('key'), '-out', at('pem')])
    return { certificate: await readFile(at('pem'), 'utf8'), key: await readFile(at('key'), 'utf8') }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
