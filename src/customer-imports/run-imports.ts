import { setImmediate } from 'node:timers/promises';
import { takeTurnsAs, takeTurnsForAll } from '../db/connection-turns.ts';
import { claimImport, releaseImport } from './claim-import.ts';
import { importPart } from './import-part.ts';
import { type ImportDependencies, templateReader } from './import-with-template.ts';
import type { ImportRow } from './imports.ts';

/** How many parts of an import run before other imports have their turn. Each part may copy a large template. */
const TURN_PARTS = 20;

interface RunOptions {
  /** A unique name of the worker. */
  worker: string;
  signal: AbortSignal;
  /** Called after each part. */
  onProgress: (progress: ImportRow) => void;
  /** Runs only this import. */
  importId?: number;
}

/** Runs imports in turns until none is left. If stopped, it finishes the current part. */
export function runImports(dependencies: ImportDependencies, options: RunOptions): Promise<void> {
  // The request that started one import is unrelated to the others.
  return takeTurnsForAll(() => runEach(dependencies, options));
}

async function runEach(
  dependencies: ImportDependencies,
  { worker, signal, onProgress, importId }: RunOptions,
): Promise<void> {
  const { db } = dependencies;
  while (!signal.aborted) {
    const claimed = await claimImport(db, worker, importId);
    if (!claimed) return;
    await takeTurnsAs(claimed.account_id, async () => {
      const readTemplate = templateReader(dependencies, claimed.account_id);
      let progress: ImportRow | undefined = claimed;
      for (let done = 0; progress?.state === 'running' && !signal.aborted && done < TURN_PARTS; done++) {
        progress = await importPart(dependencies, progress, readTemplate);
        if (progress) onProgress(progress);
        await setImmediate();
      }
      if (progress?.state === 'running') await releaseImport(db, worker, progress);
    });
  }
}
