import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentOf, onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { ArchiveThread } from '../../account-archives/archive-thread.ts';
import { exportAccount } from '../../account-archives/export-account.ts';
import { pruneArchives } from '../../account-archives/prune-archives.ts';
import { ARCHIVE_RETENTION_MS, archiveFolder } from '../../account-archives/requests.ts';
import { type ArchiveJob, runArchiveRequests } from '../../account-archives/run-requests.ts';
import { readConfig } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { openMediaStore } from '../../media/open-store.ts';

onEachDatabase('the archive of an account', (open) => {
  test('an archive is made in the background, announced by mail, and can only be downloaded by signed-in users', async (t) => {
    const { service, db, accountId, config, run, mail } = await start(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    assert.deepEqual((await admin.get('archive')).json, { archive: null });
    const asked = await admin.post('archive');
    assert.deepEqual([asked.status, asked.json.state, asked.json.bytes], [201, 'waiting', null]);
    const second = await admin.post('archive');
    assert.deepEqual([second.status, second.json.error.why], [409, { reason: 'archive_under_way' }]);
    assert.equal((await admin.get('archive/file')).status, 404);

    const thread = new ArchiveThread(config);
    assert.deepEqual(await run((job) => thread.build(job)), []);
    const { archive } = (await admin.get('archive')).json;
    assert.equal(archive.state, 'done');
    assert.ok(archive.expiresAt > Date.now() + ARCHIVE_RETENTION_MS - 60_000);
    const file = await admin.get('archive/file');
    assert.equal(file.headers['content-type'], 'application/zip');
    assert.match(String(file.headers['content-disposition']), /^attachment; filename="[a-z0-9-]+\.zip"$/);
    assert.equal(Number(file.headers['content-length']), archive.bytes);
    assert.equal(file.text.slice(0, 2), 'PK');
    const [message] = await mail();
    assert.match(message!.subject, /^The archive of .+ is ready$/);
    assert.match(message!.text, /^Size: [1-9]\d* KB$/m);
    assert.ok(!message!.text.includes('.zip'), 'the message has no direct link to the file');
    const log = await db.selectFrom('audit_log').select('action').where('account_id', '=', accountId).execute();
    const actions = log.map(({ action }) => action);
    for (const action of ['archive_requested', 'exported', 'archive_downloaded']) {
      assert.equal(actions.filter((each) => each === `account.${action}`).length, 1, action);
    }

    const other = await makeAccount(db);
    const stranger = await signedInAs(service, db, other.accountId, 'owner');
    assert.deepEqual((await stranger.get('archive')).json, { archive: null });
    assert.equal((await stranger.get('archive/file')).status, 404);
  });

  test('the download of an archive breaks off when the session of the user ends', async (t) => {
    const { service, db, accountId, run, config } = await start(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    await admin.post('archive');
    await run();
    const [name] = await readdir(archiveFolder(config.dataDir));
    // More than the kernel buffers for a client that does not read.
    const size = 64 * 1024 * 1024;
    await truncate(join(archiveFolder(config.dataDir), name!), size);
    const headers = { Host: 'localhost', Cookie: admin.cookie };
    const request = get({ port: service.port, host: '127.0.0.1', path: '/admin/archive/file', headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(Number(response.headers['content-length']), size);
    await db.transaction().execute((trx) => trx.updateTable('sessions').set({ ended_at: 1 }).execute());
    let received = 0;
    const readAll = async () => {
      for await (const chunk of response) received += chunk.length;
    };
    await assert.rejects(readAll(), { code: 'ECONNRESET' });
    assert.ok(received < size);
  });

  test('an archive that fails three times is reported as failed, and a new one can be requested', async (t) => {
    const { service, db, accountId, run, mail } = await start(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    await admin.post('archive');
    const fail = () => Promise.reject(new Error('The disk is full.'));
    for (let attempt = 1; attempt <= 3; attempt++) {
      assert.equal((await admin.get('archive')).json.archive.state, 'waiting');
      assert.equal((await run(fail)).length, 1);
      assert.equal((await run(fail)).length, 0, 'it is not retried at once');
      await db.transaction().execute((trx) => trx.updateTable('account_archives').set({ claimed_until: 0 }).execute());
    }
    assert.equal((await admin.get('archive')).json.archive.state, 'failed');
    assert.deepEqual(await mail(), []);
    assert.equal((await admin.post('archive')).status, 201);
  });

  test('an archive can be requested five times a day, and replaces the previous one', async (t) => {
    const { service, db, accountId, run, config } = await start(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const folder = archiveFolder(config.dataDir);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${accountId}0-other.zip`), '');
    for (let count = 0; count < 5; count++) {
      assert.equal((await admin.post('archive')).status, 201);
      await run();
    }
    assert.equal((await admin.post('archive')).status, 429);
    assert.equal((await readdir(folder)).length, 2, 'only the last archive of the account is kept');
  });

  test('an archive that a stopping process has interrupted is made by the next process', async (t) => {
    const { service, db, accountId, run, config } = await start(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    await admin.post('archive');
    const stopping = new AbortController();
    const stop = () => {
      stopping.abort();
      return Promise.reject(new Error('The thread has ended.'));
    };
    assert.deepEqual(await run(stop, stopping.signal), []);
    const thread = new ArchiveThread(config);
    await thread.stop();
    assert.deepEqual(await run(), []);
    assert.equal((await admin.get('archive')).json.archive.state, 'done');
  });

  test('expired archives are deleted, and so are old files without an archive', async (t) => {
    const { service, db, accountId, run, config } = await start(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    await admin.post('archive');
    await run();
    const folder = archiveFolder(config.dataDir);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'old.zip.unfinished'), '');
    await utimes(join(folder, 'old.zip.unfinished'), 1, 1);
    await writeFile(join(folder, 'new.zip.unfinished'), '');
    assert.equal(await pruneArchives(db, config.dataDir), 1);
    assert.equal((await readdir(folder)).length, 2);
    const later = Date.now() + ARCHIVE_RETENTION_MS + 1000;
    assert.equal(await pruneArchives(db, config.dataDir, later), 2);
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual((await admin.get('archive')).json, { archive: null });
  });
});

async function start(t: Parameters<typeof startWithAccount>[0], open: Parameters<typeof startWithAccount>[1]) {
  const started = await startWithAccount(t, open);
  const { db, accountId, userId } = started;
  const config = readConfig(environmentOf(started.database.config));
  await makePage(db, accountId, { userId, name: 'Bread' });
  const store = openMediaStore(config);
  const write = ({ accountId: id, file, actor }: ArchiveJob) =>
    exportAccount({ db, store }, id, { file, withSecrets: false }, actor).then(() => {});
  return {
    ...started,
    config,
    /** Makes the requested archives. Returns the errors. */
    async run(build: (job: ArchiveJob) => Promise<void> = write, signal = new AbortController().signal) {
      const errors: unknown[] = [];
      const options = { worker: 'worker', dataDir: config.dataDir, mailFrom: 'no-reply@freehold.test', signal, build };
      const onError = (error: unknown) => void errors.push(error);
      await runArchiveRequests(db, { ...options, onMailQueued: () => {}, onError });
      return errors;
    },
    mail: () => mailOf(db),
  };
}

function mailOf(db: Db) {
  return db.selectFrom('outbox').select(['subject', 'text']).where('kind', '=', 'archive_ready').execute();
}
