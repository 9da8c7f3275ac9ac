import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/**
 * Collects the garbage of the thread that calls it. V8 would keep the texts of several large requests, a hundred megabytes of
 * each, until the heap has grown by a part of all of it.
 */
export function collectGarbage() {
  // A realm keeps the text in which a regular expression last found something (`RegExp.input`).
  /a/.exec('a');
  collect();
}

/**
 * Gives the room that loading the program took back to the operating system: of 118 MB, 16. V8 keeps the space for new objects as
 * large as it once grew.
 */
export function shrinkHeap() {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
