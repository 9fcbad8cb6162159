import { join } from 'node:path'

/** The Java that JAVA_HOME names, else the one on the PATH. */
export const javaCommand = (env: NodeJS.ProcessEnv = process.env): string =>
  env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : 'java'

export const INSTALL_JAVA = 'install Java 17 or newer, e.g. openjdk-17-jre-headless'

/**
 * One service of many on a small machine: a collector without threads of its own, and the quick compiler alone, which
 * takes half of the processor time of a start.
 */
export const javaOptions = (heapMb: number): string[] => [
  `-Xmx${heapMb}m`,
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Djava.awt.headless=true',
]

/** For a service that is measured or runs for long. */
export const FULL_COMPILER = '-XX:TieredStopAtLevel=4'
