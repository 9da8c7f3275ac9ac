import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';

/** Longer than a running service waits before it renews its claim. */
const LEASE_MS = 60_000;

interface Claim {
  /** The machine and the database, so that a killed service can continue at once. */
  owner: string;
  /** Milliseconds since 1970. */
  time: number;
}

/**
 * Claims the folder for a service, in a file. Two services must not share a folder: each would delete files that the other
 * needs, and a restore would use the service that started last. Errors of reading or writing the folder are ignored here,
 * since other code reports them.
 * @throws Error if another service has claimed the folder within the last minute
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

/** Releases the folder, so that another service can claim it at once. */
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
    // There is no claim, or it is damaged.
    return undefined;
  }
}
