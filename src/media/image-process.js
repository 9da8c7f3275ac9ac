import { setPriority } from 'node:os';
import { useCompileCache } from '../compile-cache.js';

/*
 * What a process of `image-decoder.ts` runs: it makes the images that it is sent, one after another, and ends with the
 * service. What it decodes comes from strangers, and decoders are written in C: here is nothing to be found or broken.
 */
// Before anything is waited for: the service may be gone by then. There is nothing to be put in order, and what would try
// to, the decoders' threads may hold up for ever.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Before there are other threads, which are as nice as the one they come from: visitors come first.
setPriority(10);
useCompileCache();
const { inspect, makeVariants } = await import('./make-variants.ts');
const tell = (/** @type {unknown} */ what) => process.send?.(what);
process.on('message', (/** @type {import('./image-decoder.ts').ImageTask} */ { task, job }) => {
  void (task === 'inspect' ? inspect(job) : makeVariants(job)).then(tell);
});
tell('ready');
