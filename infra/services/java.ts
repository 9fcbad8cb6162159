import { join } from 'node:path'

/** Path of the Java in JAVA_HOME, or `java` from the PATH. */
export const javaCommand = (env: NodeJS.ProcessEnv = process.env): string =>
  env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : 'java'

export const INSTALL_JAVA = 'install Java 17 or newer, e.g. openjdk-17-jre-headless'

/**
 * Options for one of many services on a small machine: a garbage collector without threads of its own, and only the quick
 * compiler, which halves the processor time of a start.
 */
export const javaOptions = (heapMb: number): string[] => [
  `-Xmx${heapMb}m`,
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Djava.awt.headless=true',
]

/** Option that allows all compilers, for a service that is measured or runs for long. */
export const FULL_COMPILER = '-XX:TieredStopAtLevel=4'
