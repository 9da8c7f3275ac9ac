import { fileURLToPath } from 'node:url';

/**
 * Node.js options that make the service use less memory. They cannot be set after the process has started. `npm start` has
 * the same options.
 */
export const NODE_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=20'];

/**
 * Settings of glibc's `malloc` that make the service return large buffers to the system. A body arrives in buffers of up to
 * 64 KiB, and one small object above many freed buffers keeps them all resident. After 1,000 unfinished bodies and the
 * largest requests of the benchmark, the process takes 624 MB, instead of 764 MB with a threshold of 1 MiB. `npm start` has
 * the same settings.
 */
export const MALLOC_SETTINGS = { MALLOC_MMAP_THRESHOLD_: '49152', MALLOC_TRIM_THRESHOLD_: '8388608' };

/** Replaces this process with the service, so that signals reach it and the parent process sees its exit code. */
export function startService(environment: Readonly<Record<string, string | undefined>>, envFile?: string): never {
  const server = fileURLToPath(new URL('../server.js', import.meta.url));
  const settings = envFile === undefined ? [] : ['--env-file', envFile];
  return process.execve!(process.execPath, [process.execPath, ...NODE_OPTIONS, '--', server, ...settings], {
    ...MALLOC_SETTINGS,
    ...environment,
  });
}
