import { setImmediate } from 'node:timers/promises';

/** After how many characters of text others have their turn. */
const PART_CHARACTERS = 256 * 1024;

/** Maps pages, whose texts may have megabytes together, with pauses for others. */
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
