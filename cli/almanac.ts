#!/usr/bin/env node
// Must be first, and the rest imported dynamically: a module that is imported statically is loaded before this one runs.
import '../base/process/module-cache.mjs'

await import('./main.ts')
