import { fileURLToPath } from 'node:url';

/**
 * The options for Node.js that the service runs with: less memory. They are known before it starts or not at all.
 * `npm start` has the same.
 */
export const NODE_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=20'];

/**
 * The settings of glibc's `malloc` that the service runs with: it gives large buffers back to the system. A body arrives in
 * buffers of up to 64 KiB, and one small object above many freed ones keeps them all resident: after 1,000 unfinished bodies and
 * the largest requests of the benchmark, the process takes 624 MB instead of 764 with a threshold of 1 MiB.
 * `npm start` has the same.
 */
export const MALLOC_SETTINGS = { MALLOC_MMAP_THRESHOLD_: '49152', MALLOC_TRIM_THRESHOLD_: '8388608' };

/** Replaces this process with the service: signals reach it, and the parent process sees how it ends. */
export function startService(environment: Readonly<Record<string, string | undefined>>, envFile?: string): never {
  const server = fileURLToPath(new URL('../server.js', import.meta.url));
  const settings = envFile === undefined ? [] : ['--env-file', envFile];
  return process.execve!(process.execPath, [process.execPath, ...NODE_OPTIONS, '--', server, ...settings], {
    ...MALLOC_SETTINGS,
    ...environment,
  });
}
