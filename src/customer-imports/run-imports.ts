import { setImmediate } from 'node:timers/promises';
import type { CustomerSettings } from '../accounts/mail-login-instructions.ts';
import { takeTurnsAs, takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { claimImport, releaseImport } from './claim-import.ts';
import { importPart } from './import-part.ts';
import type { ImportRow } from './imports.ts';

interface RunOptions {
  /** A name that no other worker has. */
  worker: string;
  signal: AbortSignal;
  /** Called after each part. */
  onProgress: (progress: ImportRow) => void;
  /** Only this import. */
  importId?: number;
}

/** Runs imports, one after the other, until there is none left. When it is told to stop, it finishes the part that is under way. */
export function runImports(db: Db, settings: CustomerSettings, options: RunOptions): Promise<void> {
  // The request that began one of them has nothing to do with the others.
  return takeTurnsForAll(() => runEach(db, settings, options));
}

async function runEach(
  db: Db,
  settings: CustomerSettings,
  { worker, signal, onProgress, importId }: RunOptions,
): Promise<void> {
  while (!signal.aborted) {
    const claimed = await claimImport(db, worker, importId);
    if (!claimed) return;
    await takeTurnsAs(claimed.account_id, async () => {
      let progress: ImportRow | undefined = claimed;
      while (progress?.state === 'running' && !signal.aborted) {
        progress = await importPart(db, progress, settings);
        if (progress) onProgress(progress);
        await setImmediate();
      }
      if (progress?.state === 'running') await releaseImport(db, worker, progress);
    });
  }
}
