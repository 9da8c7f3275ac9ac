import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSeries, parseName, type SeriesFile } from './format.ts';

type Kind<K extends SeriesFile['kind']> = Extract<SeriesFile, { kind: K }>;

export interface SeriesFiles {
  name: string;
  /** Sorted by time. */
  snapshots: Kind<'snapshot'>[];
  /** Sorted by sequence number. */
  changes: Kind<'changes'>[];
}

/** Returns the series of a continuous backup with their files, sorted by time. */
export async function listSeries(folder: string): Promise<SeriesFiles[]> {
  const names = (await readdir(folder)).filter(isSeries).sort();
  const all: SeriesFiles[] = [];
  for (const name of names) {
    const files = (await readdir(join(folder, name))).map(parseName).filter((file) => file !== undefined);
    all.push({
      name,
      snapshots: files.filter((file) => file.kind === 'snapshot').sort((a, b) => a.time - b.time),
      changes: files.filter((file) => file.kind === 'changes').sort((a, b) => a.sequence - b.sequence),
    });
  }
  return all;
}
