import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { type ChangesHeader, damaged, readSeriesFile, type SeriesFile, type SnapshotHeader } from './format.ts';
import { listSeries, type SeriesFiles } from './list-series.ts';

type SnapshotFile = Extract<SeriesFile, { kind: 'snapshot' }>;
type ChangesFile = Extract<SeriesFile, { kind: 'changes' }>;

interface Rebuilt {
  /** The moment to which the database was restored, in milliseconds since 1970. It lacks later changes of its series. */
  time: number;
  /** The last file of changes, if it was left out because it is incomplete. */
  ignored: string | undefined;
}

const PAGE_NUMBER_BYTES = 4;

/**
 * Writes the database's state at the moment `until`, or its last state, to an empty file.
 * @throws AppError `invalid` if the folder has no such backup, or a required file is damaged or missing
 */
export async function rebuildDatabase(
  folder: string,
  file: string,
  until = Number.POSITIVE_INFINITY,
): Promise<Rebuilt> {
  const { series, snapshot } = await choose(folder, until);
  const path = join(folder, series.name);
  const { files, ignored } = await changesFor(path, series, snapshot, until);
  const target = await open(file, 'r+');
  try {
    await writeSnapshotTo(target, join(path, snapshot.name), series.name, snapshot);
    await applyChanges(target, { path, series: series.name, snapshot, files });
    await target.sync();
  } finally {
    await target.close();
  }
  return { time: files.at(-1)?.time ?? snapshot.time, ignored };
}

async function choose(folder: string, until: number): Promise<{ series: SeriesFiles; snapshot: SnapshotFile }> {
  const all = (await listSeries(folder)).flatMap((series) =>
    series.snapshots.map((snapshot) => ({ series, snapshot })),
  );
  const found = all.filter(({ snapshot }) => snapshot.time <= until).at(-1);
  if (found) return found;
  const [first] = all;
  throw new AppError(
    'invalid',
    first
      ? `The continuous backup in "${folder}" begins at ${new Date(first.snapshot.time).toISOString()}. Choose a later moment.`
      : `"${folder}" has no snapshot of a continuous backup. Give the folder that the service has as BACKUP_FOLDER.`,
  );
}

/** Returns the changes to apply: whole transactions without a gap. */
async function changesFor(path: string, { changes }: SeriesFiles, snapshot: SnapshotFile, until: number) {
  const files = changes.filter(({ sequence, time }) => sequence > snapshot.after && time <= until);
  let ignored: string | undefined;
  const last = files.at(-1);
  if (last && last === changes.at(-1) && !(await isWhole(join(path, last.name)))) {
    ignored = join(path, last.name);
    files.pop();
  }
  while (files.at(-1)?.isPart) files.pop();
  const end = Math.max(snapshot.upTo, files.at(-1)?.sequence ?? 0);
  for (let sequence = snapshot.after + 1; sequence <= end; sequence++) {
    const found = files[sequence - snapshot.after - 1];
    if (found?.sequence === sequence) continue;
    throw new AppError(
      'invalid',
      `Changes ${sequence} are missing in "${path}". ${momentBefore(files, snapshot, sequence)}`,
    );
  }
  return { files, ignored };
}

/** Returns a sentence that names an earlier moment that can be restored. */
function momentBefore(files: readonly ChangesFile[], snapshot: SnapshotFile, sequence: number): string {
  const last = files.filter((file) => file.sequence < sequence && !file.isPart).at(-1);
  return sequence <= snapshot.upTo
    ? `Choose a moment before ${new Date(snapshot.time).toISOString()}.`
    : `The latest earlier moment that can be restored is ${new Date(last?.time ?? snapshot.time).toISOString()}.`;
}

async function isWhole(file: string): Promise<boolean> {
  try {
    await readSeriesFile(file, { header: () => {}, content: () => {} });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return false;
    throw error;
  }
}

async function writeSnapshotTo(
  target: FileHandle,
  file: string,
  series: string,
  expected: SnapshotFile,
): Promise<void> {
  let position = 0;
  const advice = `Choose a moment before ${new Date(expected.time).toISOString()}, if there is a snapshot before it.`;
  await readSeriesFile<SnapshotHeader>(file, {
    header(header) {
      if (header.series !== series || header.after !== expected.after || header.upTo !== expected.upTo)
        throw damaged(file);
    },
    async content(bytes) {
      await target.write(bytes, 0, bytes.length, position);
      position += bytes.length;
    },
  }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'invalid' ? damaged(file, advice) : error;
  });
}

async function applyChanges(
  target: FileHandle,
  { path, series, snapshot, files }: { path: string; series: string; snapshot: SnapshotFile; files: ChangesFile[] },
): Promise<void> {
  let previous: string | undefined;
  for (const { name, sequence } of files) {
    const file = join(path, name);
    const refuse = () => damaged(file, momentBefore(files, snapshot, sequence));
    let header: ChangesHeader | undefined;
    let rest: Buffer = Buffer.alloc(0);
    const sum = await readSeriesFile<ChangesHeader>(file, {
      header(found) {
        const follows = previous === undefined || found.previous === previous;
        if (found.series !== series || found.sequence !== sequence || !follows) throw refuse();
        header = found;
      },
      async content(bytes) {
        rest = await writePages(target, header!.pageSize, Buffer.concat([rest, bytes]));
      },
    }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'invalid' ? refuse() : error;
    });
    if (rest.length > 0) throw refuse();
    if (header!.databasePages > 0) await target.truncate(header!.databasePages * header!.pageSize);
    previous = sum;
  }
}

/** Writes all whole pages of the bytes to their places. Returns the remaining bytes. */
async function writePages(target: FileHandle, pageSize: number, bytes: Buffer): Promise<Buffer> {
  const length = PAGE_NUMBER_BYTES + pageSize;
  let at = 0;
  for (; bytes.length - at >= length; at += length) {
    const number = bytes.readUInt32BE(at);
    await target.write(bytes, at + PAGE_NUMBER_BYTES, pageSize, (number - 1) * pageSize);
  }
  return bytes.subarray(at);
}
