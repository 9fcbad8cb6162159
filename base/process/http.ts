/**
 * Node's `http`, as `require` gives it. `import` reads all that the module exports, and so loads the client behind `WebSocket`, which
 * costs each process 35 ms of CPU time (Node 22.23).
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
