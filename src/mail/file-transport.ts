import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedLookUp } from '../db/shared-look-up.ts';
import { compose } from './compose.ts';
import { DeliveryError } from './delivery-error.ts';
import { createTransport } from './nodemailer.ts';
import type { OutboxRow } from './outbox.ts';
import type { Transport } from './transport.ts';

/** Keeps messages as files that any mail program opens, for an installation without a mail server. */
export function fileTransport(folder: string, mailFrom: string): Transport {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    description: `files in ${folder}, because SMTP_URL is not set`,
    delivers: false,
    async send(message) {
      try {
        const { message: content } = await composer.sendMail(compose(message, mailFrom));
        const file = [folder, fileName(message), content as Buffer] as const;
        await keep(...file).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await keep(...file);
        });
      } catch (error) {
        // A full disk is like a server that is down.
        throw new DeliveryError((error as Error).message, false);
      }
    },
    async close() {},
  };
}

/** The same for the same message: one that is kept twice overwrites itself. */
function fileName({ id, message_id: messageId }: OutboxRow): string {
  const unique = messageId.replace(/^<|@.*$/g, '').replace(/[^\w-]/g, '_');
  return `${id}-${unique}.eml`;
}

/** Writes the file whole or not at all, and to the disk before the message counts as sent. */
async function keep(folder: string, name: string, content: Buffer): Promise<void> {
  const temporary = join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Messages are kept several at a time: one sync of the folder does for all that are in it when it begins. */
const syncFolder = sharedLookUp(
  async (folders: readonly string[]) => {
    for (const folder of folders) {
      const directory = await open(folder);
      try {
        await directory.sync();
      } finally {
        await directory.close();
      }
    }
    return new Map<string, never>();
  },
  () => true,
);
