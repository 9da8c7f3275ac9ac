import { setPriority } from 'node:os';
import { useCompileCache } from '../compile-cache.js';

/*
 * The program of the child process of `image-decoder.ts`. It makes the images that it is sent, one after another, and ends
 * with the service. It decodes images from strangers, and decoders are written in C, so the process has nothing worth
 * stealing or breaking.
 */
// Registered before the first `await`, since the service may have ended by then. Kills the process at once: there is nothing
// to clean up, and the decoders' threads could block a regular exit for ever.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Lowers the priority before there are other threads, which inherit it: requests of visitors come first.
setPriority(10);
useCompileCache();
const { inspect, makeVariants } = await import('./make-variants.ts');
const send = (/** @type {unknown} */ message) => process.send?.(message);
/** How often the processor time is checked. */
const CHECK_INTERVAL_MS = 100;

process.on('message', (/** @type {import('./image-decoder.ts').ImageTask} */ { task, job, maxCpuMs }) => {
  const before = process.cpuUsage();
  const tookTooLong = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 > maxCpuMs;
  };
  // The decoders run in their own threads, so this timer fires in time. The service then kills the process.
  const timer = setInterval(() => tookTooLong() && send('too-long'), CHECK_INTERVAL_MS);
  void (task === 'inspect' ? inspect(job) : makeVariants(job)).then((result) => {
    clearInterval(timer);
    send(tookTooLong() ? 'too-long' : result);
  });
});
send('ready');
