import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { reserveIds } from '../db/reserve-ids.ts';
import { RowInserter } from '../db/row-inserter.ts';
import { AppError } from '../errors.ts';
import { imagesIn } from '../pages/page-images.ts';
import { emailKey } from '../users/create-user.ts';
import type { CheckedArchive } from './check-archive.ts';
import {
  archiveFiles,
  type Field,
  type FileName,
  type Line,
  type Numbered,
  type PersonSecrets,
  pathOf,
} from './format.ts';
import type { ArchiveReader } from './zip-reader.ts';

type Row = Record<string, string | number | null>;

/** The new ids by numbers in the archive. The id of number 1 is at index 0. */
type Ids = Readonly<Record<Numbered, readonly number[]>>;

interface InsertLinesInput {
  /** The id of the account. */
  readonly id: number;
  readonly archive: CheckedArchive;
  /** The folders of the images in the store. */
  readonly folders: readonly string[];
}

/** The files whose lines become rows directly. The lines of other files go through the verbs that change accounts. */
const insertedFiles = [
  ...(['plans', 'brand-images', 'people', 'pages', 'deletions', 'deleted-pages'] as const),
  ...(['revisions', 'drafts', 'redirects', 'images'] as const),
] satisfies readonly FileName[];

/** Inserts the rows of an empty account. Returns the ids of its pages by their numbers, deleted ones included. */
export async function insertLines(
  trx: Trx,
  reader: ArchiveReader,
  input: InsertLinesInput,
): Promise<{ pageIds: readonly number[] }> {
  const { counts } = input.archive;
  const ids: Ids = {
    people: await reserveIds(trx, 'users', counts.people),
    pages: await reserveIds(trx, 'pages', counts.pages),
    deletions: await reserveIds(trx, 'undos', counts.deletions),
  };
  const inserter = new LineInserter(trx, reader, input, ids);
  for (const name of insertedFiles) await inserter.insert(name);
  await inserter.finish();
  return { pageIds: ids.pages };
}

class LineInserter {
  readonly #reader: ArchiveReader;
  readonly #input: InsertLinesInput;
  readonly #ids: Ids;
  readonly #rows: RowInserter;
  /** Additional rows in other tables that belong to the inserted ones. */
  readonly #others: RowInserter;

  constructor(trx: Trx, reader: ArchiveReader, input: InsertLinesInput, ids: Ids) {
    this.#reader = reader;
    this.#input = input;
    this.#ids = ids;
    this.#rows = new RowInserter(trx);
    this.#others = new RowInserter(trx);
  }

  async insert(name: FileName): Promise<void> {
    const { table, fields } = archiveFiles[name];
    let index = 0;
    try {
      for await (const line of this.#reader.lines(name)) {
        const row: Row = {
          account_id: this.#input.id,
          ...this.#rowOf(fields, line),
          ...this.#added(name, line, index),
        };
        await this.#rows.add(table, row, sizeOf(line));
        index += 1;
        await this.#addOthers(name, line, row);
      }
      await this.#rows.flush();
    } catch (error) {
      const rule = violatedUniqueRule(error);
      if (rule === undefined) throw error;
      throw new AppError(
        'invalid',
        `The archive cannot be imported. Nothing was changed.\n  ${pathOf(name)}, up to line ${index}: two lines have the same value where values must be unique (${rule}).`,
      );
    }
  }

  async finish(): Promise<void> {
    await this.#others.flush();
  }

  #rowOf(fields: Readonly<Record<string, Field>>, line: Line): Row {
    const row: Row = {};
    for (const [name, field] of Object.entries(fields)) {
      const value = line[name];
      if (value === null) row[field.column] = null;
      else if (field.type === 'flag') row[field.column] = value === true ? 1 : 0;
      else if (field.type === 'ref') row[field.column] = this.#ids[field.to][Number(value) - 1]!;
      else row[field.column] = value as string | number;
    }
    return row;
  }

  /** Returns the columns that have no field in the line. */
  #added(name: FileName, line: Line, index: number): Row {
    switch (name) {
      case 'people':
        return this.#person(line, this.#ids.people[index]!);
      case 'pages':
        return { id: this.#ids.pages[index]! };
      case 'deleted-pages':
        return { id: this.#ids.pages[this.#reader.manifest.lines.pages + index]! };
      case 'deletions':
        return this.#deletion(line, index);
      case 'images': {
        const files = line.files as Readonly<Record<string, number>>;
        const bytes = Object.values(files).reduce((sum, size) => sum + size, 0);
        return { folder: this.#input.folders[index]!, files: JSON.stringify(files), bytes };
      }
      default:
        return {};
    }
  }

  #person(line: Line, id: number): Row {
    const { password_hash: hash = null } = line as Partial<PersonSecrets>;
    // The key of a removed user cannot equal any address.
    const key = line.removed_at === null ? emailKey(String(line.email)) : `removed ${id}`;
    return { id, email_key: key, password_hash: hash };
  }

  #deletion(line: Line, index: number): Row {
    const payload = {
      pageId: this.#ids.pages[Number(line.page) - 1]!,
      pages: this.#input.archive.deletionSizes[index]!,
    };
    return { id: this.#ids.deletions[index]!, kind: 'delete', payload: JSON.stringify(payload), used_at: null };
  }

  async #addOthers(name: FileName, line: Line, row: Row): Promise<void> {
    if (name === 'pages' || name === 'deleted-pages') await this.#addImages(row.id!, 0, String(line.body));
    if (name === 'drafts') await this.#addImages(row.page_id!, row.user_id!, String(line.fields));
    if (name === 'people') await this.#addSecrets(line as Partial<PersonSecrets>, row.id!);
  }

  async #addImages(pageId: Row[string], draftBy: Row[string], text: string): Promise<void> {
    for (const hash of imagesIn(text)) {
      const row = { account_id: this.#input.id, page_id: pageId!, draft_by: draftBy!, hash };
      await this.#others.add('page_images', row, 100);
    }
  }

  async #addSecrets(
    { second_factor: factor = null, recovery_codes: codes = [] }: Partial<PersonSecrets>,
    id: Row[string],
  ) {
    const userKey = { account_id: this.#input.id, user_id: id! };
    // The secrets refer to the user, who must be inserted first.
    if (factor || codes.length > 0) await this.#rows.flush();
    if (factor) {
      const { secret, confirmed_at, last_step } = factor;
      const row = { ...userKey, secret, confirmed_at, last_step, created_at: confirmed_at };
      await this.#others.add('second_factors', row, 200);
    }
    for (const { hash, used_at } of codes) await this.#others.add('recovery_codes', { ...userKey, hash, used_at }, 100);
  }
}

/** Returns the approximate memory that a line takes, in bytes. */
function sizeOf(line: Line): number {
  return Object.values(line).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 20), 0);
}
