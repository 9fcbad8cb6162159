import { runCommand } from '../support/command.ts'

/** API keys of the plan Pro, each of an account of its own. */
export async function proKeys(dataDir: string, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    const args = ['keys', 'create', '--plan', 'pro', '--owner', 'bench', '--json']
    const { code, stdout, stderr } = await runCommand(args, { ALMANAC_DATA_DIR: dataDir })
    if (code !== 0) throw new Error(stdout + stderr)
    keys.push((JSON.parse(stdout) as { readonly key: string }).key)
  }
  return keys
}
