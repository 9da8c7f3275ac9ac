import { type Selectable, sql } from 'kysely';
import { shownName } from '../audit/shown-name.ts';
import type { Db, Trx } from '../db/database.ts';
import type { MediaTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { MEDIA_PATH, sizesOf, writeMediaName } from './media-name.ts';

type MediaRow = Selectable<MediaTable>;

/** An image as the app and the API show it. */
export interface Media extends Pick<MediaRow, 'id' | 'hash' | 'kind' | 'width' | 'height' | 'bytes' | 'name' | 'alt'> {
  /** The URL path of the largest variant. */
  src: string;
  /** The URL path of the smallest variant. */
  thumbnail: string;
  isMoving: boolean;
  createdAt: number;
  createdBy: string;
}

/** How long a removed image can be restored: as long as a deleted page. */
export const REMOVED_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

export function formatMediaId(id: number): string {
  return `media_${id}`;
}

/**
 * Returns an image that has not been removed.
 * @throws AppError `not_found`
 */
export async function getMedia(db: Db | Trx, accountId: number, id: number): Promise<Media> {
  const row = await selectMedia(db)
    .where('media.account_id', '=', accountId)
    .where('media.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('The image');
  return mediaOf(row);
}

/** Selects images that were not removed, with the names of their uploaders. The caller restricts the query to an account. */
export function selectMedia(db: Db | Trx) {
  return selectAllMedia(db).where('media.removed_at', 'is', null);
}

/** Selects images, removed or not, with the names of their uploaders. The caller restricts the query to an account. */
export function selectAllMedia(db: Db | Trx) {
  return db
    .selectFrom('media')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'media.account_id').onRef('users.id', '=', 'media.created_by'),
    )
    .selectAll('media')
    .select(shownName('users').as('uploader'));
}

export function mediaOf(row: MediaRow & { uploader: string }): Media {
  const { id, hash, kind, width, height, bytes, name, alt } = row;
  const isMoving = row.is_moving === 1;
  const addressOf = (size: { width: number; height: number }) =>
    MEDIA_PATH + writeMediaName({ hash, ...size, isMoving, type: 'webp' });
  const [src, thumbnail] = [addressOf({ width, height }), addressOf(sizesOf({ width, height, isMoving })[0]!)];
  const { created_at: createdAt, uploader: createdBy } = row;
  return { id, hash, kind, width, height, bytes, name, alt, src, thumbnail, isMoving, createdAt, createdBy };
}

/** Returns the keys of an image's files in the store. */
export function keysOf({ folder, files }: Pick<MediaRow, 'folder' | 'files'>): string[] {
  return Object.keys(JSON.parse(files) as Record<string, number>).map((name) => `${folder}/${name}`);
}

/** Returns the bytes that the account's images take up: all of them, and those that are not removed. */
export async function countBytes(db: Db | Trx, accountId: number): Promise<{ all: number; shown: number }> {
  const { rows } = await sql<{ all: number; shown: number }>`
    select coalesce(sum(bytes), 0) as "all", coalesce(sum(case when removed_at is null then bytes else 0 end), 0) as shown
    from media where account_id = ${accountId}`.execute(db);
  return rows[0]!;
}
