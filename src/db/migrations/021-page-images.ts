import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** How many images of one text are recorded at most. */
const MAX_IMAGES = 200;

/** How many texts, and how many bytes of them, are read at once. A single text may have more bytes. */
const MAX_TEXTS = 200;
const MAX_BYTES = 1_000_000;

/** The tables with texts. A row is identified by its account, its page and, if it is a draft, its user. */
const sources = [
  { table: 'pages', key: ['account_id', 'id'], text: 'body' },
  { table: 'removed_pages', key: ['account_id', 'id'], text: 'body' },
  { table: 'drafts', key: ['account_id', 'page_id', 'user_id'], text: 'fields' },
] as const;

/**
 * Adds the images that pages show, published or in a draft, so that finding the pages of an image reads no texts. The rows
 * name their page without a foreign key: they outlive its deletion, and are valid again when it is restored.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const statement of [
    `create table page_images (
      account_id ${int} not null references accounts (id),
      page_id ${int} not null,
      draft_by ${int} not null,
      hash text not null,
      primary key (account_id, page_id, draft_by, hash)
    ${dialect === 'sqlite' ? ') strict, without rowid' : ')'}`,
    'create index page_images_hash on page_images (account_id, hash, page_id)',
  ]) {
    await sql.raw(statement).execute(db);
  }
  for (const source of sources) await fill(db, dialect, source);
}

type Row = Record<string, number> & { bytes: number };

async function fill(db: Kysely<unknown>, dialect: Dialect, { table, key, text }: (typeof sources)[number]) {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const column = sql.ref(text);
  const showsImages = sql`${sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos')}(${column}, '/media/') > 0`;
  const idsOf = (row: Record<string, number>) => key.map((name) => row[name]!);
  for (let after = key.map(() => 0); ; ) {
    const afterThese = sql`(${columns}) > (${sql.join(after)}) and ${showsImages}`;
    const { rows } = await sql<Row>`
      select ${columns}, octet_length(${column}) as bytes from ${sql.table(table)} where ${afterThese}
      order by ${columns} limit ${sql.lit(MAX_TEXTS)}`.execute(db);
    if (rows.length === 0) return;
    let sum = 0;
    const few = rows.filter(({ bytes }, index) => {
      sum += bytes;
      return index === 0 || sum <= MAX_BYTES;
    });
    const last = idsOf(few.at(-1)!);
    const { rows: texts } = await sql<Record<string, number> & Record<'text', string>>`
      select ${columns}, ${column} as text from ${sql.table(table)}
      where ${afterThese} and (${columns}) <= (${sql.join(last)})`.execute(db);
    const images = texts.flatMap((row) => {
      const [accountId, pageId, draftBy = 0] = idsOf(row);
      return hashesIn(row.text).map((hash) => [accountId, pageId, draftBy, hash]);
    });
    await insert(db, dialect, images);
    after = last;
  }
}

function hashesIn(text: string): string[] {
  const hashes = new Set<string>();
  for (const [, hash] of text.matchAll(/\/media\/([0-9a-f]{32})-/g)) {
    if (hashes.size < MAX_IMAGES) hashes.add(hash!);
  }
  return [...hashes];
}

async function insert(db: Kysely<unknown>, dialect: Dialect, images: unknown[][]): Promise<void> {
  const list = JSON.stringify(images);
  await sql`
    insert into page_images (account_id, page_id, draft_by, hash)
    select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), cast(value ->> 2 as bigint), value ->> 3
    from ${dialect === 'sqlite' ? sql`json_each(${list})` : sql`json_array_elements(cast(${list} as json)) as value`}`.execute(
    db,
  );
}
