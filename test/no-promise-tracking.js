import hooks from 'node:async_hooks';

/*
 * Keeps the test runner from tracking promises, which takes a fifth of the processor time of a test process. It still tracks
 * timers, sockets and the like. An unhandled rejection still fails the run, but without the name of its test;
 * `npm run test:file` tracks promises and prints the name.
 */
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
