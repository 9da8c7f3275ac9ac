import { randomUUID } from 'node:crypto';
import { closeSync, fsync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { batchLoader } from '../db/batch-loader.ts';
import { makeFolder } from '../make-folder.ts';
import { buildMimeMessage, type MimeSettings } from './build-mime-message.ts';
import { DeliveryError } from './delivery-error.ts';
import type { OutboxRow } from './outbox.ts';
import type { Transport } from './transport.ts';

/**
 * Returns a transport that stores messages as files, which any mail program opens. It is for an installation without a mail
 * server.
 */
export function fileTransport(dataDir: string, settings: MimeSettings): Transport {
  const folder = folderOf(dataDir);
  return {
    description: `files in ${folder}, because SMTP_URL is not set`,
    delivers: false,
    async send(message) {
      try {
        const file = [folder, fileName(message), buildMimeMessage(message, settings, '8bit').raw] as const;
        await writeMessageFile(...file).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          makeFolder(folder);
          await writeMessageFile(...file);
        });
      } catch (error) {
        // Treats a full disk like a server that is down.
        throw new DeliveryError((error as Error).message, false);
      }
    },
    async close() {},
  };
}

export type KeptMessage = Pick<OutboxRow, 'id' | 'message_id'>;

/** Deletes the files of the messages, if there are any. */
export async function removeKeptMail(dataDir: string, messages: readonly KeptMessage[]): Promise<void> {
  for (const message of messages) await rm(join(folderOf(dataDir), fileName(message)), { force: true });
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'mail');
}

/** Returns the file name of a message. It is always the same, so that a message that is stored twice overwrites itself. */
function fileName({ id, message_id: messageId }: KeptMessage): string {
  const unique = messageId
    .replace(/^</, '')
    .split('@')[0]!
    .replace(/[^\w-]/g, '_');
  return `${id}-${unique}.eml`;
}

/**
 * Writes the file atomically, and syncs it to disk before the message counts as sent. Only the sync is asynchronous: the
 * other calls take less time than handing them to another thread.
 */
async function writeMessageFile(folder: string, name: string, content: Buffer): Promise<void> {
  const temporary = join(folder, `.${name}.${randomUUID()}`);
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, content);
      await sync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/**
 * Syncs folders in batches. Several messages are stored at a time: one sync of the folder covers all files that are in it
 * when the sync begins.
 */
const syncFolder = batchLoader(async (folders: readonly string[]) => {
  for (const folder of folders) {
    const directory = openSync(folder, 'r');
    try {
      await sync(directory);
    } finally {
      closeSync(directory);
    }
  }
  return new Map<string, never>();
});

const sync = promisify(fsync);
