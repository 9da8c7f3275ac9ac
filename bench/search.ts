import type { Db } from '../src/db/database.ts';
import { refreshAllSearch, refreshSearch } from '../src/pages/search-index.ts';
import { tokenFor } from '../test/person.ts';
import { addAccount, openForFilling } from './data.ts';
import type { Running } from './processes.ts';
import { note, only, round } from './report.ts';
import { SignedInClient } from './signed-in-client.ts';

const WORK = 'search in 100,000 pages';
const PAGES = 100_000;
const BATCH_SIZE = 500;
const WORDS = 20_000;
const WORDS_PER_NAME = 3;
const WORDS_PER_TEXT = 40;
/** The number of different searches of each kind. */
const SEARCHES = 40;

/** Measures searches in the admin app for rare words and for words that nearly all pages contain. */
export async function measureSearch(
  service: Running,
  database: { dataDir: string; databaseUrl: string },
  on = '',
): Promise<void> {
  if (!`${on}${WORK}`.includes(only)) return;
  const db = await openForFilling({ ...database, databasePool: 2 });
  const sessions: string[] = [];
  try {
    const { id, userId } = await addAccount(db, 'searched');
    await addPages(db, id, userId);
    const started = performance.now();
    await refreshSearch(db, id, Number.POSITIVE_INFINITY);
    note(`${on}${WORK}: the index is made`, `${round((performance.now() - started) / 1000)} s`);
    // Maintenance does this within an hour.
    await refreshAllSearch(db);
    for (let count = 0; count < Object.keys(searches).length; count++) sessions.push(await tokenFor(db, id, userId));
  } finally {
    await db.destroy();
  }
  const client = new SignedInClient(service);
  for (const [index, [name, textOf]] of Object.entries(searches).entries()) {
    const paths = Array.from({ length: SEARCHES }, (_, place) => `/admin/pages/search?q=${textOf(place)}`);
    const session = sessions[index]!;
    await client.measure(`${on}${WORK}: ${name}`, paths, { session, most: { median: 20, p99: 50 } });
  }
  client.close();
}

/** Returns a word by frequency: most pages contain the first words, hardly any the last ones. */
const common = (place: number) => wordOf(place);
const rare = (place: number) => wordOf(WORDS - 1 - place * 100);

const searches: Readonly<Record<string, (place: number) => string>> = {
  'a common word': common,
  'two common words': (place) => `${common(place)}+${common(place + 1)}`,
  'the beginnings of two common words': (place) => `${common(place).slice(0, 4)}+${common(place + 1).slice(0, 4)}`,
  'one and three letters': (place) => `${common(place)[0]}+${common(place + 1).slice(0, 3)}`,
  'ten common words': (place) => Array.from({ length: 10 }, (_, index) => common(place + index)).join('+'),
  'a rare word': rare,
  'a rare and a common word': (place) => `${rare(place)}+${common(place)}`,
  'the middle of a name': (place) => common(place).slice(2),
  'a whole name': (place) => nameOf(place * 2500).replaceAll(' ', '+'),
  'the end of a path': (place) => `/${nameOf(place * 2500).replaceAll(' ', '-')}`,
  nothing: (place) => `${common(place)}+zzzz`,
};

async function addPages(db: Db, accountId: number, userId: number): Promise<void> {
  const same = {
    account_id: accountId,
    parent_id: null,
    is_hidden: 0 as const,
    description: null,
    body_format: 'wysiwyg_format' as const,
    custom_date: 0,
    created_at: 0,
    created_by: userId,
    updated_at: 0,
    updated_by: userId,
    version: 1,
  };
  for (let from = 0; from < PAGES; from += BATCH_SIZE) {
    const rows = Array.from({ length: BATCH_SIZE }, (_, index) => {
      const number = from + index;
      const name = nameOf(number);
      const body = `<p>${textOf(number)}</p>`;
      return { ...same, name, urlname: name.replaceAll(' ', '-'), position: number + 1, body };
    });
    await db.transaction().execute((trx) => trx.insertInto('pages').values(rows).execute());
  }
}

const nameOf = (number: number) => `${wordsOf(number, WORDS_PER_NAME).join(' ')} ${number}`;
const textOf = (number: number) => wordsOf(number + PAGES, WORDS_PER_TEXT).join(' ');

/** Returns words distributed as in natural languages: a few are very frequent, most are rare. A seed determines the words. */
function wordsOf(seed: number, count: number): string[] {
  let state = seed + 1;
  return Array.from({ length: count }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    const random = ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
    return wordOf(Math.floor(WORDS * random ** 3));
  });
}

/** Returns a word of four syllables, of which many words share the first two. */
function wordOf(place: number): string {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu'];
  let word = '';
  for (let left = place * 7919 + 1, count = 0; count < 4; count++, left = Math.floor(left / syllables.length)) {
    word = syllables[left % syllables.length]! + word;
  }
  return word;
}
