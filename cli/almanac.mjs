#!/usr/bin/env node
// In JavaScript, because Node would load its own stripper of types for this file alone. The cache must be the first import, and the
// rest dynamic: a module that is imported statically is loaded before this one runs.
import '../base/process/module-cache.mjs'

await import('./main.ts')
