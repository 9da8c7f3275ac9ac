import { setImmediate } from 'node:timers/promises';

/** After how many characters of text other work gets its turn. */
const PART_CHARACTERS = 256 * 1024;

/** Maps pages, whose texts may have megabytes together, with pauses in which other work gets its turn. */
export async function mapPages<T extends { body: string }, U>(pages: readonly T[], map: (page: T) => U): Promise<U[]> {
  const mapped: U[] = [];
  let characters = 0;
  for (const page of pages) {
    mapped.push(map(page));
    characters += page.body.length;
    if (characters < PART_CHARACTERS) continue;
    characters = 0;
    await setImmediate();
  }
  return mapped;
}
