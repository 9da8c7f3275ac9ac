import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/**
 * Collects the garbage of the calling thread. V8 would otherwise keep the texts of several large requests, a hundred
 * megabytes each, until the heap has grown by a fraction of its size.
 */
export function collectGarbage() {
  // A realm keeps the text of a regular expression's last match (`RegExp.input`).
  /a/.exec('a');
  collect();
}

/**
 * Returns memory that loading the program has used to the operating system: 16 MB of 118. V8 otherwise keeps the space for
 * new objects at its largest size.
 */
export function shrinkHeap() {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
