import { createHook } from 'node:async_hooks';

/** Keeps the object alive. It is never read. */
export let keptTick: object | undefined;

/**
 * Keeps one of Node's objects for `process.nextTick` alive; every request takes several of them. V8 forgets the shape of
 * these objects when a garbage collection finds none alive. The compiled code then fits none of the later objects, each of
 * which takes ten times as long to make while the process lives. Without this, the page of a site falls from 0.855 to 0.81
 * of a bare server's speed.
 */
export function keepTicksQuick(): void {
  const hook = createHook({
    // Tracking promises would put V8 on a slower path for every promise from then on.
    trackPromises: false,
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') keptTick = resource;
    },
  }).enable();
  process.nextTick(() => {});
  hook.disable();
}
