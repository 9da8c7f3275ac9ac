/*
 * Node's own, without `import`: that reads everything the module has to offer, a WebSocket among it, and for this loads a
 * whole HTTP client, which takes some megabytes of memory and a tenth of a second. `import type` is free.
 */
export const { Agent, createServer, request, setMaxIdleHTTPParsers } = process.getBuiltinModule('node:http');
