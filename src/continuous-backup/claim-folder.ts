import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';

/** Longer than a service that runs leaves the file as it is. */
const LEASE_MS = 60_000;

interface Claim {
  /** The machine and the database, so that a service that was killed goes on at once. */
  owner: string;
  /** Milliseconds since 1970. */
  time: number;
}

/**
 * Notes in the folder which service copies to it. Two services must not share a folder: each would delete what the other needs, and a restore
 * would take the one that began last. A folder that cannot be read or written is for others to report.
 * @throws Error if another service has noted itself within the last minute
 */
export async function claimFolder(folder: string, owner: string, now = Date.now()): Promise<void> {
  const found = await readClaim(folder);
  if (found && found.owner !== owner && Math.abs(now - found.time) < LEASE_MS) {
    throw new Error(
      `another service (${found.owner}) has copied to BACKUP_FOLDER within the last minute. Give each service a folder of its own`,
    );
  }
  const claim: Claim = { owner, time: now };
  await replaceFile(fileIn(folder), 'claim', (path) =>
    writeFile(path, `${JSON.stringify(claim)}\n`, { mode: 0o600 }),
  ).catch(() => {});
}

/** Lets another service have the folder at once. */
export async function releaseFolder(folder: string, owner: string): Promise<void> {
  const found = await readClaim(folder);
  if (found?.owner === owner) await rm(fileIn(folder), { force: true }).catch(() => {});
}

const fileIn = (folder: string) => join(folder, 'in-use.json');

async function readClaim(folder: string): Promise<Claim | undefined> {
  try {
    const { owner, time } = JSON.parse(await readFile(fileIn(folder), 'utf8'));
    return typeof owner === 'string' && typeof time === 'number' ? { owner, time } : undefined;
  } catch {
    // There is none, or it was damaged with its disk.
    return undefined;
  }
}
