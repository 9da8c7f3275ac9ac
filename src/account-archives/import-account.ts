import { reserveAccountId } from '../accounts/create-account.ts';
import { findSubdomainProblem, normalSubdomain } from '../accounts/subdomain.ts';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError, ValidationError } from '../errors.ts';
import { storeImages } from '../media/copy-images.ts';
import { kindOf } from '../media/kind-of.ts';
import { readMediaName } from '../media/media-name.ts';
import type { MediaStore } from '../media/store.ts';
import { checkOffered, listPlans, type PlanRow } from '../plans/plans.ts';
import { type CheckedArchive, checkArchive } from './check-archive.ts';
import type { FileName } from './format.ts';
import { type ImportNote, insertAccount } from './insert-account.ts';
import { ArchiveReader, damaged } from './zip-reader.ts';

interface ImportAccountInput {
  /** The path of the archive. */
  readonly file: string;
  /** The account that becomes the seller of the imported one; undefined for a top-level account. */
  readonly sellerId?: number | undefined;
  /** The name of the seller's plan for the account. Defaults to the name of its former plan. */
  readonly plan?: string | undefined;
  /** Defaults to the former subdomain. */
  readonly subdomain?: string | undefined;
}

export interface ImportedAccount {
  readonly id: number;
  readonly name: string;
  readonly subdomain: string;
  /** The name of the account's plan; undefined for a top-level account. */
  readonly plan: string | undefined;
  readonly lines: Readonly<Record<FileName, number>>;
  readonly hasSecrets: boolean;
  readonly notes: readonly ImportNote[];
}

interface Dependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly config: Config;
}

/** JSON needs up to six bytes for one byte of a text. */
const BYTES_PER_BYTE = 6;
/** The limits of everything in a file except the texts of pages. */
const MAX_OTHER_BYTES = 2 ** 31;
const MAX_OTHER_LINE_BYTES = 8 * 1024 * 1024;

/**
 * Creates an account from an archive completely, or not at all. First the whole archive is read and checked, then the image
 * files are stored, and then one transaction inserts all rows.
 * @throws AppError `invalid` if the archive is wrong, with the places; `conflict`, `not_found`; ValidationError for the
 * subdomain; LimitReached if the account exceeds its plan
 */
export async function importAccount(
  { db, store, config }: Dependencies,
  { file, sellerId, plan: planName, subdomain: wantedSubdomain }: ImportAccountInput,
  by: Actor,
): Promise<ImportedAccount> {
  const limits = {
    lineBytes: BYTES_PER_BYTE * config.maxBodyBytes + MAX_OTHER_LINE_BYTES,
    fileBytes: BYTES_PER_BYTE * config.pageQuota + MAX_OTHER_BYTES,
  };
  using reader = await ArchiveReader.open(file, limits);
  const archive = await checkArchive(reader, config);
  const subdomain = normalSubdomain(wantedSubdomain ?? String(archive.account.subdomain));
  const problem = await findSubdomainProblem(db, subdomain, config);
  if (problem) throw new ValidationError([{ field: 'account_subdomain', ...problem }]);
  const plan = sellerId === undefined ? undefined : await choosePlan(db, sellerId, planName, archive);

  const id = await reserveAccountId(db);
  const images = archive.images.map((line) => ({ line, hash: line.hash, files: JSON.stringify(line.files) }));
  const put = async (stored: ReadonlyArray<{ folder: string; files: string }>) => {
    for (const image of stored) await storeFiles(store, reader, image);
  };
  const place = { id, subdomain, sellerId, planId: plan?.id };
  const notes = await storeImages({ db, store }, id, images, put, (stored) => {
    const folders = stored.map(({ folder }) => folder);
    return db.transaction().execute((trx) => insertAccount(trx, reader, { archive, place, folders, config }, by));
  });
  const { lines, has_secrets: hasSecrets } = reader.manifest;
  return { id, name: String(archive.account.name), subdomain, plan: plan?.name, lines, hasSecrets, notes };
}

/** Chooses the seller's plan for the account. @throws AppError `not_found` */
async function choosePlan(
  db: Db | Trx,
  sellerId: number,
  wanted: string | undefined,
  { account }: CheckedArchive,
): Promise<PlanRow> {
  const plans = await listPlans(db, sellerId);
  const name = wanted ?? account.plan;
  const plan = plans.find((one) => one.name === name);
  if (!plan) {
    const offered = plans.filter(({ retired_at }) => retired_at === null).map((one) => `"${one.name}"`);
    const why = name === null ? 'The account had no plan.' : `There is no plan "${name}".`;
    throw new AppError('not_found', `${why} Choose one with --plan: ${offered.join(', ')}.`);
  }
  checkOffered(plan);
  return plan;
}

/**
 * Stores the files of an image, after checking that their content has the type that their names say. They are served as
 * that type.
 */
async function storeFiles(
  store: MediaStore,
  reader: ArchiveReader,
  { folder, files }: { folder: string; files: string },
): Promise<void> {
  for (const name of Object.keys(JSON.parse(files) as Record<string, number>)) {
    const content = await reader.readImage(name);
    if (!isOfKind(content, readMediaName(name)!.type)) throw damaged(`images/${name} is not an image of its type`);
    await store.put(`${folder}/${name}`, content);
  }
}

function isOfKind(content: Buffer, type: 'webp' | 'avif'): boolean {
  try {
    return kindOf(content) === type;
  } catch {
    return false;
  }
}
