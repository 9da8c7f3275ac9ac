import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';

onEachDatabase('restore from an unsuitable path', (open) => {
  test('restore says what is wrong with its argument, and what it expects', async (t) => {
    const { config } = await open(t);
    const [missing, folder, file] = ['missing', 'folder', 'file'].map((name) => join(config.dataDir, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(folder);
    await writeFile(file, '');
    const until = ['--until', '2026-11-28T09:30:00Z'];
    const wrong: [args: string[], code: number, error: string][] = [
      [[missing], 1, `The backup cannot be read: "${missing}" does not exist.\n`],
      [[missing, ...until], 1, `The backup cannot be read: "${missing}" does not exist.\n`],
      [[file, ...until], 2, `--until is only for the folder of a continuous backup, which "${file}" is not.\n`],
      [
        [folder, ...until],
        1,
        `"${folder}" has no snapshot of a continuous backup. Give the folder that the service has as BACKUP_FOLDER.\n`,
      ],
      [[folder, '--until', 'yesterday'], 2, '--until is not a time like 2026-11-28T09:30:00Z.\n'],
    ];
    for (const [args, code, error] of wrong)
      assert.deepEqual(await runCli(config, 'restore', ...args), { code, out: '', error });
  });
});
