import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runCli } from '../test/cli.ts';
import { databases, makeMigratedDatabase } from '../test/databases.ts';
import { openMailbox } from '../test/mailbox.ts';
import { customerPath, manyConnections, pagePath, send } from './load.ts';
import { eventually, type Program, startProgram } from './program.ts';

for (const kind of databases) {
  test(`two workers act as one service (${kind})`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
    const mailbox = await openMailbox(t);
    const program = await startProgram(t, database, { WORKERS: '2', SMTP_URL: mailbox.url });
    const { key, port } = program;
    assert.equal(new Set(workersOf(program)).size, 2);
    const agent = manyConnections(t);
    const post = (path: string, headers = {}) => send(agent, port, 'POST', path, headers);
    const times = <T>(count: number, work: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, index) => work(index)));

    const mailIsRecorded = (t: TestContext) =>
      eventually(
        t,
        async () => (await runCli(database, 'mail', 'list', '--json')).out,
        (out) => !out.includes('"queued"'),
      );

    await t.test('one of many concurrent pages with the same name is created', async () => {
      const answers = await times(50, () => post(pagePath(key, 'Wanted')));
      const bodies = answers.map(({ status, body }) => `${status} ${body}`);
      assert.equal(bodies.filter((body) => body === '200 {"response":true,"errors":[]}').length, 1);
      const taken = '422 {"response":false,"errors":[["name","has already been taken"]]}';
      assert.equal(bodies.filter((body) => body === taken).length, 49, String(bodies));
    });

    await t.test('one of many concurrent customers with the same subdomain is created, with one mail', async (t) => {
      const answers = await times(10, () => post(customerPath(key, 'wanted')));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      assert.equal(answers.filter(({ body }) => body.includes('Your URL has already been taken')).length, 9);
      await mailbox.received(1);
      // A worker that is killed after it has sent a message, and before it has recorded that, would send it twice.
      await mailIsRecorded(t);
    });

    await t.test('a request that is sent many times is processed once, whichever worker receives it', async () => {
      const answers = await times(20, () => post(pagePath(key, 'Once'), { 'Idempotency-Key': 'once' }));
      assert.deepEqual(
        answers,
        answers.map(() => ({ status: 200, body: '{"response":true,"errors":[]}' })),
      );
      assert.equal((await post(pagePath(key, 'Twice'), { 'Idempotency-Key': 'once' })).status, 422);
    });

    await t.test('a page created by one worker is in the list of the other', async () => {
      for (let count = 0; count < 5; count++) {
        const name = `Seen ${count}`;
        assert.equal((await post(pagePath(key, name))).status, 200);
        const lists = await times(20, () => send(agent, port, 'GET', `/api/pages.json?api_key=${key}`));
        for (const { body } of lists) assert.ok(body.includes(`"${name}"`), `${name} is missing`);
      }
    });

    await t.test('many pages created at once have positions without gaps', async () => {
      await times(100, (index) => post(pagePath(key, `Page ${index}`)));
      const pages = await program.service.pages(key);
      assert.equal(pages.length, 107);
      assert.deepEqual(
        pages.map(({ position }) => Number(position)),
        pages.map((_, index) => index + 1),
      );
      const doctor = await runCli(database, 'doctor', '--json');
      assert.deepEqual(JSON.parse(doctor.out).problems, []);
    });

    await t.test('both workers have served requests, and the metrics count those of both', async () => {
      const processes = () => new Set(program.log.filter(({ msg }) => msg === 'request').map(({ pid }) => pid));
      await program.until(() => processes().size === 2);
      const label = 'freehold_http_request_seconds_count{route="/api/pages.json",method="POST",status="200"}';
      const metrics = (await program.service.request('GET', '/metrics')).text;
      const line = metrics.split('\n').find((candidate) => candidate.startsWith(label));
      assert.equal(Number(line?.split(' ').at(-1)), 1 + 20 + 5 + 100, metrics.slice(0, 2000));
    });

    await t.test('a worker that dies is replaced, and nothing is lost', async () => {
      const [victim] = workersOf(program);
      process.kill(victim!, 'SIGKILL');
      await program.serving(3);
      assert.equal(program.log.filter(({ msg }) => msg === 'a worker ended; starting another').length, 1);
      agent.destroy();
      const answers = await times(20, (index) => post(pagePath(key, `After ${index}`)));
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal((await program.service.pages(key)).length, 127);
      assert.match((await program.service.request('GET', '/metrics')).text, /freehold_outbox_messages/);
    });

    await t.test('every customer created by two workers gets one mail', async (t) => {
      await times(6, (index) => post(customerPath(key, `customer-${index}`)));
      await mailbox.received(7);
      await mailIsRecorded(t);
      assert.deepEqual(
        mailbox.messages.flatMap(({ to }) => to).toSorted(),
        [...Array.from({ length: 6 }, (_, index) => `customer-${index}@example.com`), 'wanted@example.com'].toSorted(),
      );
    });

    await t.test('a stop ends all workers', async () => {
      const pids = workersOf(program);
      // The program ends only after its workers, which share its output.
      assert.deepEqual(await program.stop(), { code: 0, signal: null });
      for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    });
  });
}

test('requests that arrive together use a rate limit almost completely, never exceed it, and a small limit is exact', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), {
    WORKERS: '2',
    RATE_LIMIT: '400',
    FAILED_KEY_LIMIT: '5',
  });
  const agent = manyConnections(t);
  const statuses = async (key: string, count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, () => send(agent, program.port, 'GET', `/api/account.json?api_key=${key}`)),
    );
    return answers.map(({ status }) => status).toSorted();
  };
  const allowed = (await statuses(program.key, 450)).filter((status) => status === 200).length;
  // Each worker reserves a twentieth of its half, which the other worker cannot use.
  assert.ok(allowed <= 400 && allowed >= 390, String(allowed));
  assert.deepEqual(await statuses('wrong', 30), [...Array(5).fill(401), ...Array(25).fill(429)]);
});

test('a small rate limit is exact across all machines that share a PostgreSQL database', async (t) => {
  const database = await makeMigratedDatabase(t, 'postgres');
  const start = (WORKERS: string) => startProgram(t, database, { WORKERS, RATE_LIMIT: '10', FAILED_KEY_LIMIT: '5' });
  const first = await start('2');
  const machines = [first, await start('1')];
  const agent = manyConnections(t);
  const statuses = async (key: string) => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        send(agent, machines[index % 2]!.port, 'GET', `/api/account.json?api_key=${key}`),
      ),
    );
    return answers.map(({ status }) => status).toSorted();
  };
  assert.deepEqual(await statuses(first.key), [...Array(10).fill(200), ...Array(20).fill(429)]);
  assert.deepEqual(await statuses('wrong'), [...Array(5).fill(401), ...Array(25).fill(429)]);
});

/** Several workers open a file at once that SQLite has to recover after a crash: this must not be a race. */
test('many workers start on a database that a crash has left unrecovered', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const first = await startProgram(t, database);
  const { key } = first;
  const agent = manyConnections(t);
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(agent, first.port, 'POST', pagePath(key, `Page ${index}`))),
  );
  await first.kill();
  // The first worker starts alone, the others at once.
  const second = await startProgram(t, database, { WORKERS: '4' });
  assert.equal(second.log.filter(({ level }) => level > 40).length, 0, second.out);
  assert.equal((await second.service.pages(key)).length, 20);
});

function workersOf(program: Program): number[] {
  return program.log.filter(({ msg }) => msg === 'serving').map(({ pid }) => Number(pid));
}
