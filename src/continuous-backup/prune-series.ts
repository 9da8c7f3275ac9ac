import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listSeries } from './list-series.ts';

/**
 * Deletes the files that are not needed to restore any moment since `from`. Keeps the older snapshot with which a restore
 * of that moment begins.
 */
export async function pruneSeries(folder: string, from: number): Promise<void> {
  const all = await listSeries(folder);
  const newest = all
    .flatMap(({ name: series, snapshots }) => snapshots.map((snapshot) => ({ series, snapshot })))
    .filter(({ snapshot }) => snapshot.time <= from)
    .at(-1);
  if (!newest) return;
  for (const { name, snapshots, changes } of all) {
    if (name > newest.series) break;
    const isOld = name < newest.series;
    const old = [
      ...snapshots.filter(({ time }) => isOld || time < newest.snapshot.time),
      ...changes.filter(({ sequence }) => isOld || sequence <= newest.snapshot.after),
    ];
    for (const file of old) await rm(join(folder, name, file.name), { force: true });
    if (!isOld) continue;
    // Deletes files that a crash has left unfinished.
    for (const file of await readdir(join(folder, name))) {
      if (file.endsWith('.unfinished')) await rm(join(folder, name, file), { force: true });
    }
    // The folder stays if the operator has put files there.
    await rmdir(join(folder, name)).catch(() => {});
  }
}
