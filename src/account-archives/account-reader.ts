import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { readByIds, readInParts, sizeOf } from '../db/read-in-parts.ts';
import { AppError } from '../errors.ts';
import { tables } from '../operations/tables.ts';
import { archiveFiles, type Field, type FileName, type Line, type Numbered, type PersonSecrets } from './format.ts';

type Row = Record<string, string | number | null>;

/** The numbers of lines in the archive, by ids. */
type Numbers = Readonly<Record<Numbered, ReadonlyMap<number, number>>>;

interface PageToRead {
  id: number;
  parent: number;
  size: number;
}

/** Reads the content of an archive from an account, in a snapshot. */
export class AccountReader {
  readonly #trx: Trx;
  readonly #accountId: number;
  readonly #pages: readonly PageToRead[];
  readonly #numbers: Numbers;

  private constructor(trx: Trx, accountId: number, pages: readonly PageToRead[], numbers: Numbers) {
    this.#trx = trx;
    this.#accountId = accountId;
    this.#pages = pages;
    this.#numbers = numbers;
  }

  /** Numbers the rows that lines refer to. @throws AppError `conflict` if the pages are not a tree */
  static async open(trx: Trx, accountId: number): Promise<AccountReader> {
    const idsOf = async (rows: AsyncIterable<Row>) => {
      const ids: number[] = [];
      for await (const { id } of rows) ids.push(Number(id));
      return ids;
    };
    const reader = new AccountReader(trx, accountId, [], { people: new Map(), pages: new Map(), deletions: new Map() });
    const pages = await reader.#listPages();
    const people = numbered(await idsOf(reader.#rows('users')));
    const deletions = numbered(await idsOf(reader.#deletions()));
    const deleted = await idsOf(reader.#ids('removed_pages', deletions));
    const numbers = { people, deletions, pages: numbered([...pages.map(({ id }) => id), ...deleted]) };
    return new AccountReader(trx, accountId, pages, numbers);
  }

  /** Yields the lines of a file. Skips rows that refer to deleted rows. */
  async *lines(name: FileName): AsyncGenerator<Line> {
    for await (const row of this.#rowsOf(name)) {
      const line = this.#lineOf(archiveFiles[name].fields, row);
      if (line) yield line;
    }
  }

  /** Yields the lines of users with their secrets for signing in. */
  async *peopleWithSecrets(): AsyncGenerator<Line> {
    const factors = await this.#trx
      .selectFrom('second_factors')
      .select(['user_id', 'secret', 'confirmed_at', 'last_step'])
      .where('account_id', '=', this.#accountId)
      .where('confirmed_at', 'is not', null)
      .execute();
    const codes = await this.#trx
      .selectFrom('recovery_codes')
      .select(['user_id', 'hash', 'used_at'])
      .where('account_id', '=', this.#accountId)
      .execute();
    const factorOf = new Map(factors.map(({ user_id, ...factor }) => [user_id, factor]));
    const codesOf = Map.groupBy(codes, ({ user_id }) => user_id);
    for await (const row of this.#rows('users')) {
      const secrets: PersonSecrets = {
        password_hash: row.password_hash as string | null,
        second_factor: (factorOf.get(Number(row.id)) as PersonSecrets['second_factor'] | undefined) ?? null,
        recovery_codes: (codesOf.get(Number(row.id)) ?? [])
          .map(({ hash, used_at }) => ({ hash, used_at }))
          .sort((a, b) => (a.hash < b.hash ? -1 : 1)),
      };
      yield { ...this.#lineOf(archiveFiles.people.fields, row), ...secrets };
    }
  }

  /** Yields the lines of images with their files and the folders in the store. */
  async *images(): AsyncGenerator<{ line: Line; id: number; folder: string; files: Record<string, number> }> {
    // Skips images that were deleted permanently, which are removed within the hour.
    for await (const row of this.#rows('media', sql`coalesce(removed_at, 1) > 0`)) {
      const files = JSON.parse(String(row.files)) as Record<string, number>;
      const line = { ...this.#lineOf(archiveFiles.images.fields, row), files };
      yield { line, id: Number(row.id), folder: String(row.folder), files };
    }
  }

  #rowsOf(name: FileName): AsyncIterable<Row> {
    switch (name) {
      case 'account':
        return this.#account();
      case 'pages':
        return readByIds(this.#trx, { table: 'pages', where: this.#own() }, this.#pages);
      case 'deletions':
        return this.#deletions();
      case 'drafts':
        return this.#drafts();
      case 'brand-images':
        return this.#sorted('brand_images', 'name');
      case 'mail-words':
        return this.#sorted('mail_words', 'kind');
      default:
        return this.#rows(archiveFiles[name].table);
    }
  }

  #own() {
    return sql`account_id = ${this.#accountId}`;
  }

  #rows(table: string, where = sql`true`): AsyncGenerator<Row> {
    const { key, long } = tables[table as keyof typeof tables];
    return readInParts(this.#trx, { table, key, long, where: sql`${this.#own()} and ${where}` });
  }

  async *#account(): AsyncGenerator<Row> {
    const { rows } = await sql<Row>`
      select accounts.*, plans.name as plan_name, agency_access.is_allowed, agency_access.is_mailed
      from accounts
      left join plans on plans.account_id = accounts.parent_id and plans.id = accounts.plan_id
      left join agency_access on agency_access.account_id = accounts.id
      where accounts.id = ${this.#accountId}`.execute(this.#trx);
    yield* rows;
  }

  /** Yields the deletions of pages that can be undone. */
  async *#deletions(): AsyncGenerator<Row> {
    for await (const row of this.#rows('undos', sql`kind = 'delete' and used_at is null and created_at > 0`)) {
      yield { ...row, page_id: (JSON.parse(String(row.payload)) as { pageId: number }).pageId };
    }
  }

  async *#ids(table: 'removed_pages', deletions: ReadonlyMap<number, number>): AsyncGenerator<Row> {
    const pages = sql`select id, undo_id from ${sql.table(table)} where ${this.#own()} order by id`;
    const { rows } = await (pages as ReturnType<typeof sql<Row>>).execute(this.#trx);
    for (const row of rows) if (deletions.has(Number(row.undo_id))) yield row;
  }

  /** Yields drafts in the order of their pages and users in the archive, which is not the order of ids. */
  async *#drafts(): AsyncGenerator<Row> {
    const { pages, people } = this.#numbers;
    const { rows } = await sql<{ page_id: number; user_id: number }>`
      select page_id, user_id from drafts where ${this.#own()}`.execute(this.#trx);
    const number = (numbers: ReadonlyMap<number, number>, id: number) => numbers.get(id) ?? 0;
    rows.sort(
      (a, b) =>
        number(pages, a.page_id) - number(pages, b.page_id) || number(people, a.user_id) - number(people, b.user_id),
    );
    for (const { page_id, user_id } of rows) {
      const draft = await sql<Row>`
        select * from drafts where ${this.#own()} and page_id = ${page_id} and user_id = ${user_id}`.execute(this.#trx);
      yield* draft.rows;
    }
  }

  /** Yields rows ordered by a text, which the databases would order differently. */
  async *#sorted(table: 'brand_images' | 'mail_words', column: string): AsyncGenerator<Row> {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${this.#own()}`.execute(this.#trx);
    yield* rows.sort((a, b) => (String(a[column]) < String(b[column]) ? -1 : 1));
  }

  /**
   * Lists the pages level by level, so that each comes after its parent, and by id within a level. After an import, their
   * ids are in this order.
   */
  async #listPages(): Promise<PageToRead[]> {
    const pages: PageToRead[] = [];
    for (let after = 0; ; ) {
      const { rows } = await sql<PageToRead>`
        select id, coalesce(parent_id, 0) as parent, ${sizeOf(tables.pages.long)} as size from pages
        where ${this.#own()} and id > ${after} order by id limit 5000`.execute(this.#trx);
      pages.push(...rows);
      if (rows.length < 5000) break;
      after = rows.at(-1)!.id;
    }
    const children = Map.groupBy(pages, ({ parent }) => parent);
    const ordered: PageToRead[] = [];
    for (let level = children.get(0) ?? []; level.length > 0; ) {
      ordered.push(...level);
      level = level.flatMap(({ id }) => children.get(id) ?? []).sort((a, b) => a.id - b.id);
    }
    if (ordered.length < pages.length) {
      throw new AppError(
        'conflict',
        'The pages of the account do not form a tree. Run doctor to find out what is wrong.',
      );
    }
    return ordered;
  }

  #lineOf(fields: Readonly<Record<string, Field>>, row: Row): Line | undefined {
    const line: Line = {};
    for (const [name, field] of Object.entries(fields)) {
      const value = row[field.column] ?? null;
      if (value === null) line[name] = null;
      else if (field.type === 'flag') line[name] = value === 1;
      else if (field.type === 'ref') {
        line[name] = this.#numbers[field.to].get(Number(value)) ?? null;
        if (line[name] === null && !field.isNullable) return undefined;
      } else line[name] = value;
    }
    return line;
  }
}

function numbered(ids: readonly number[]): Map<number, number> {
  return new Map(ids.map((id, index) => [id, index + 1]));
}
