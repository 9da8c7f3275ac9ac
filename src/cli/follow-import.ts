import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportDependencies } from '../customer-imports/import-with-template.ts';
import { getImport, type ImportRow } from '../customer-imports/imports.ts';
import { runImports } from '../customer-imports/run-imports.ts';

/** How often the progress of an import that the service runs is checked. */
const INTERVAL_MS = 300;

/** After how many lines progress is reported. */
const REPORT_EVERY = 1000;

/** Runs an import, or waits for the service if it has claimed the import. Returns the import once it is done or stopped. */
export async function followImport(
  dependencies: ImportDependencies,
  { accountId, importId }: { accountId: number; importId: number },
  report: (text: string) => void,
): Promise<ImportRow> {
  let reported = 0;
  const reportProgress = ({ created_count, skipped_count, line_count, state }: ImportRow) => {
    const done = created_count + skipped_count;
    if (done - reported < REPORT_EVERY || state !== 'running') return;
    reported = done;
    report(`${done} of ${line_count} lines are done.`);
  };
  const worker = randomUUID();
  const { signal } = new AbortController();
  for (;;) {
    await runImports(dependencies, { worker, signal, importId, onProgress: reportProgress });
    const progress = await getImport(dependencies.db, accountId, importId);
    if (progress.state !== 'running') return progress;
    reportProgress(progress);
    await sleep(INTERVAL_MS);
  }
}
