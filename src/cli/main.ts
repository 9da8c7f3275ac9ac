import { useCompileCache } from '../compile-cache.ts';

useCompileCache();
const { run } = await import('./run.ts');

// `freehold … | head` closes the pipe before everything is written: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
});
