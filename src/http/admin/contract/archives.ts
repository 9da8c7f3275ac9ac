/* The archive of everything of an account. */

/** In GET /admin/archive: `{ archive: ArchiveJson | null }`. POST /admin/archive → 201 ArchiveJson */
export interface ArchiveJson {
  state: 'waiting' | 'done' | 'failed';
  createdAt: number;
  /** The name of the person who asked for it. */
  createdBy: string;
  /** When it is deleted; null while it waits. */
  expiresAt: number | null;
  /** The size of the file, GET /admin/archive/file; null until it is done. */
  bytes: number | null;
}
