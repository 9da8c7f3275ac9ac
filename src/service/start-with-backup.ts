import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { ContinuousBackup } from '../continuous-backup/continuous-backup.ts';
import { checkBackupFolder } from '../continuous-backup/own-folders.ts';
import type { Running } from './running.ts';

interface StartWithBackupOptions {
  readonly config: Pick<Config, 'backupFolder' | 'backupDays' | 'dataDir' | 'mediaS3Url'>;
  readonly log: Logger;
  readonly registry: Registry;
  readonly start: () => Promise<Running>;
}

/**
 * Starts the service and, if configured, the continuous backup. The backup stops after the service, so that it gets the
 * last changes.
 */
export async function startWithBackup({ config, log, registry, start }: StartWithBackupOptions): Promise<Running> {
  const { backupFolder, backupDays, dataDir } = config;
  if (!backupFolder) return start();
  checkBackupFolder(backupFolder, dataDir);
  let backup: ContinuousBackup | undefined;
  new Gauge({
    name: 'freehold_continuous_backup_behind_seconds',
    help: 'The age of the oldest change that may not have been copied to BACKUP_FOLDER.',
    registers: [registry],
    collect() {
      if (backup) this.set(backup.behindSeconds);
    },
  });
  const running = await start();
  backup = new ContinuousBackup({
    dataDir,
    backupFolder,
    backupDays,
    hasImages: config.mediaS3Url === '',
    log: {
      info: (text) => log.info(text),
      warn: (text) => log.warn(text),
      error: (text) => log.error(text),
    },
  });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      await backup.stop();
    },
  };
}
