import hooks from 'node:async_hooks';

/*
 * Has the test runner follow timers, sockets and the like to the test that began them, and promises no more: following every
 * promise takes a fifth of the processor time of a test process. An error that no test waits for fails the run all the same,
 * without the name of its test; `npm run test:file` follows promises and names it.
 */
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
