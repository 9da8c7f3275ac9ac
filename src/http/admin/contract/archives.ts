/* The downloadable archive of an account: everything that the account has. */

/** GET /admin/archive → `{ archive: ArchiveJson | null }`. POST /admin/archive → 201 ArchiveJson */
export interface ArchiveJson {
  state: 'waiting' | 'done' | 'failed';
  createdAt: number;
  /** The name of the person who requested the archive. */
  createdBy: string;
  /** When the archive is deleted; null while it waits. */
  expiresAt: number | null;
  /** The size of the file that GET /admin/archive/file returns; null until the archive is done. */
  bytes: number | null;
}
