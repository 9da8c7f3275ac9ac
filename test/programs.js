import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/* Reads paths of programs as lines, runs each as if it were started alone, and answers each with a line of JSON. */

const answer = process.stdout.write.bind(process.stdout);
let output = '';
/** @param {string | Uint8Array} text */
const collect = (text) => {
  output += text;
  return true;
};
process.stdout.write = collect;
process.stderr.write = collect;

for await (const file of createInterface({ input: process.stdin })) {
  process.chdir(dirname(file));
  output = '';
  let failed = false;
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    failed = true;
    console.error(error);
  }
  answer(`${JSON.stringify({ failed, output })}\n`);
}
