import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { makeMigratedDatabase } from '../test/databases.ts';
import { openMailbox } from '../test/mailbox.ts';
import { customerPath, manyConnections, pagePath, send } from './load.ts';
import { startProgram } from './program.ts';

// Both databases, because their errors differ, and both forms of the log: the lines of several processes name their process.
for (const [kind, WORKERS] of [
  ['sqlite', '2'],
  ['postgres', '1'],
] as const) {
  test(`the log is lines of JSON, without queries, keys, passwords and mail (${kind}, ${WORKERS} processes)`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
    const mailbox = await openMailbox(t);
    mailbox.treat = (recipient) => (recipient.startsWith('refused') ? 'refuse' : 'accept');
    const program = await startProgram(t, database, {
      WORKERS,
      LOG_LEVEL: 'trace',
      FAILED_KEY_LIMIT: '20',
      SMTP_URL: mailbox.url.replace('//', '//joe:open-sesame@'),
    });
    const { key, port } = program;
    const agent = manyConnections(t);
    const paths: Array<[method: string, path: string]> = [];
    for (let index = 0; index < 50; index++) {
      paths.push(['POST', pagePath(key, `Secret page ${index}`)]);
      paths.push(['GET', `/api/account.json?api_key=${key}`]);
      paths.push(['GET', `/api/pages.json?api_key=fh_wrong-secret-key-${index}`]);
      paths.push(['POST', `/api/pages.json?api_key=${key}&page=secret`]);
    }
    for (let index = 0; index < 3; index++) paths.push(['POST', customerPath(key, `secret-${index}`)]);
    paths.push(['POST', customerPath(key, 'refused')], ['POST', customerPath(key, 'refused')]);
    // Typing errors that put a key into a path.
    paths.push(['GET', `/api/pages.json%3Fapi_key=${key}`], ['GET', `/api/pages.json&api_key=${key}`]);
    paths.push(['GET', `/nowhere?api_key=${key}`], ['GET', `/\u0001${'x'.repeat(1000)}"\\`.replace('\u0001', '%01')]);
    const answers = await Promise.all(paths.map(([method, path]) => send(agent, port, method, path)));
    const statuses = new Set(answers.map(({ status }) => status));
    assert.deepEqual([...statuses].toSorted(), [200, 400, 401, 404, 422, 429]);
    await mailbox.received(3);
    await mailbox.asked(4);
    await program.until(({ out }) => out.split('"msg":"request"').length > paths.length);
    await program.until(({ out }) => out.includes('Mail failed, and is kept'));
    assert.deepEqual(await program.stop(), { code: 0, signal: null });

    const log = program.out.slice(program.out.indexOf('\n{'));
    assert.equal(program.log.filter(({ msg }) => msg === 'request').length, paths.length);
    for (const line of program.log) {
      assert.equal(typeof line.level, 'number');
      assert.equal(typeof line.time, 'number');
      assert.equal(typeof line.pid, WORKERS === '1' ? 'undefined' : 'number');
      assert.doesNotMatch(String(line.path ?? ''), /\?/);
    }
    assert.equal(program.errors, '');
    for (const secret of [key, 'fh_wrong', 'Secret page', 'horse', 'open-sesame', '@example.com', 'Carl', 'sign-in']) {
      const line = log.split('\n').find((candidate) => candidate.includes(secret));
      assert.equal(line, undefined, `${secret} is in the log`);
    }
  });
}

test('an error of PostgreSQL is logged without the values of the request', async (t) => {
  const database = await makeMigratedDatabase(t, 'postgres');
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  const name = client.escapeIdentifier(client.database!);
  await client.query(`alter database ${name} set log_parameter_max_length_on_error = -1`);
  const program = await startProgram(t, database);
  await client.query("alter table pages add constraint pages_never check (name <> 'Secret page')");
  const answer = await program.service.request('POST', pagePath(program.key, 'Secret page'));
  assert.equal(answer.status, 500);
  await client.end();
  await program.until(({ out }) => out.includes('request failed'));
  assert.match(program.out, /pages_never/);
  assert.doesNotMatch(program.out, /Secret page/);
});
