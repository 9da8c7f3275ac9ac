import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/**
 * Collects the garbage of the thread that calls it. V8 would keep the texts of several large requests, a hundred megabytes of
 * each, until the heap has grown by a part of all of it.
 * @type {() => void}
 */
export const collectGarbage = runInNewContext('gc');
