import { BoundSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addAccount, openForFilling } from '../bench/data.ts';
import { ContinuousClients, pagesAndAccount } from '../e2e/continuous-clients.ts';
import { freePort } from '../test/free-port.ts';
import { type AuditedDatabase, onEachDatabase } from './on-each-database.ts';
import { SocketService } from './socket-service.ts';

/*
 * Restarts and reloads the service while clients send requests, a third of which create pages, and counts the requests that are not
 * answered with 200. `npm run audit:restarts -- 100000` sends 100,000 requests to each database: half of them to a single process, half
 * to two workers with their primary. Clients never repeat a request. Exits with 1 if one fails.
 */

const requestsPerDatabase = Number(process.argv[2] ?? 100_000);
/** The time between two restarts or reloads. */
const SERVING_MS = 3000;

let hasFailed = false;
await onEachDatabase(async (name, database) => {
  const db = await openForFilling({ ...database, databasePool: 2 });
  for (const workers of [1, 2]) {
    const { key } = await addAccount(db, `audited-${workers}`);
    await audit(`${name}, ${workers} ${workers === 1 ? 'process' : 'processes'}`, database, workers, key);
  }
  await db.destroy();
});
process.exitCode = hasFailed ? 1 : 0;

async function audit(title: string, database: AuditedDatabase, workers: number, key: string): Promise<void> {
  const socket = new BoundSocket({ host: '127.0.0.1', port: await freePort() });
  const service = new SocketService(socket, {
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    WORKERS: String(workers),
    RATE_LIMIT: '0',
  });
  await service.start();
  const clients = new ContinuousClients({ after: () => {} }, socket.address().port, pagesAndAccount(key));
  let [restarts, reloads] = [0, 0];
  while (clients.answered < requestsPerDatabase / 2) {
    await sleep(SERVING_MS);
    if (restarts > reloads) {
      await service.reload();
      reloads++;
    } else {
      await service.stop();
      await service.start();
      restarts++;
    }
  }
  await clients.stop();
  await service.stop();
  socket.close();
  const { answered, failures, longestMs } = clients;
  console.log(
    `${title}: ${answered} requests over ${restarts} restarts and ${reloads} reloads, ${failures.length} failed, the longest took ${Math.round(longestMs)} ms`,
  );
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure.replaceAll(key, 'KEY')}`);
  if (failures.length > 0) hasFailed = true;
}
