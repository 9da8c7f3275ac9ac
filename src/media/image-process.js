import { setPriority } from 'node:os';
import { useCompileCache } from '../compile-cache.js';

/*
 * The program of a process of `image-decoder.ts`: it makes the images that it is sent, one after another, and ends with the
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
/** How often the processor time is looked at. */
const CHECK_INTERVAL_MS = 100;

process.on('message', (/** @type {import('./image-decoder.ts').ImageTask} */ { task, job, maxCpuMs }) => {
  const before = process.cpuUsage();
  const tookTooLong = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 > maxCpuMs;
  };
  // The decoders have threads of their own, so this is told in time; the service then kills the process.
  const timer = setInterval(() => tookTooLong() && tell('too-long'), CHECK_INTERVAL_MS);
  void (task === 'inspect' ? inspect(job) : makeVariants(job)).then((answer) => {
    clearInterval(timer);
    tell(tookTooLong() ? 'too-long' : answer);
  });
});
tell('ready');
