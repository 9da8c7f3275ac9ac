import { hash } from '@node-rs/argon2';
import { argon2Parameters } from '../src/users/hash-threads.ts';

/* Measures the machine's own rate of Argon2id, with as many concurrent hashes as the compared measurement has clients. */
const [clients, seconds] = process.argv.slice(2).map(Number) as [number, number];
const end = performance.now() + seconds * 1000;
let count = 0;
const started = performance.now();
await Promise.all(
  Array.from({ length: clients }, async () => {
    while (performance.now() < end) {
      await hash('rise early 4 bread', argon2Parameters);
      count += 1;
    }
  }),
);
process.stdout.write(String(count / ((performance.now() - started) / 1000)));
