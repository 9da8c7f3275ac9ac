#!/usr/bin/env node
import { useCompileCache } from '../compile-cache.js';

useCompileCache();
// The usual way to start the service. Loading all commands would take longer than the rest.
if (process.argv.length === 3 && process.argv[2] === 'start' && !process.env.LISTEN_PID) {
  const { startService } = await import('./start-service.ts');
  startService(process.env);
}
const { run } = await import('./run.ts');

// `freehold … | head` closes the pipe before everything is written, which is no error.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== 'EPIPE') throw error;
});

const streams = {
  out: (/** @type {string} */ text) => new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error))),
  error: (/** @type {string} */ text) => void process.stderr.write(text),
};
process.exitCode = await run(process.argv.slice(2), process.env, streams, '.');
