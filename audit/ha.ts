import { setTimeout } from 'node:timers/promises';
import { scratchFolder } from '../bench/processes.ts';
import type { Program } from '../e2e/program.ts';
import { HaCluster, missingForCluster } from '../test/ha-cluster.ts';
import { type Answer, HaLoad } from '../test/ha-load.ts';

/*
 * Measures how long the cluster of deploy/ha is unavailable to clients: `npm run audit:ha` simulates three machines on this one, with
 * two instances of the service behind HAProxy. It kills, freezes and stops one after another while clients create and read.
 * `npm run audit:ha -- kill` runs only the faults whose names contain "kill". Exits with 1 if a limit is missed, or if an
 * acknowledged creation is lost or was made twice.
 */

interface Trouble {
  readonly name: string;
  /** Causes the fault and repairs it, while the load continues. */
  readonly make: () => Promise<void>;
  /** The longest permitted times without a successful creation, and without a successful read. */
  readonly maxCreationGapMs: number;
  readonly maxReadGapMs: number;
  /** True if no request may fail. */
  readonly isUnnoticed?: boolean;
  /** True if that includes creations without an `Idempotency-Key`. */
  readonly isUnnoticedByAll?: boolean;
}

const missing = missingForCluster();
if (missing) {
  console.log(`Nothing is tried: ${missing}.`);
  process.exit(1);
}

const RATE = 60;
/** How long the load runs before and after each fault. */
const CALM_MS = 4000;
const FAILOVER_CREATIONS_MS = 15_000;
const FAILOVER_READS_MS = 12_000;
const FREEZE_MS = 20_000;

const closers: Array<() => unknown> = [];
const lifetime = { after: (close: () => unknown) => void closers.push(close) };
let isMissed = false;
// When this process ends, it stops everything that it started.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));

try {
  const cluster = await HaCluster.start(lifetime);
  const dataDir = scratchFolder();
  const settings = { RATE_LIMIT: '0' };
  const start = (machine: 1 | 2) => cluster.startInstance(lifetime, machine, dataDir, settings);
  let first = await start(1);
  const { key } = first;
  let second: Program = await start(2);
  await untilServed(cluster.serviceUrl);

  const troubles: Trouble[] = [
    {
      name: 'kill the machine of the leader',
      make: async () => {
        const leader = await cluster.do('leader');
        await cluster.do('kill', leader);
        await setTimeout(20_000);
        await cluster.do('start', leader);
        await cluster.do('wait');
      },
      maxCreationGapMs: FAILOVER_CREATIONS_MS,
      maxReadGapMs: FAILOVER_READS_MS,
    },
    {
      name: 'freeze the machine of the leader for 30 s',
      make: async () => {
        const leader = await cluster.do('leader');
        await cluster.do('freeze', leader);
        await setTimeout(30_000);
        await cluster.do('thaw', leader);
        await setTimeout(5000);
        await cluster.do('wait');
      },
      maxCreationGapMs: FREEZE_MS,
      maxReadGapMs: FREEZE_MS,
    },
    {
      name: 'switch over',
      make: async () => {
        await cluster.do('switchover');
        await cluster.do('wait');
      },
      maxCreationGapMs: FAILOVER_CREATIONS_MS,
      maxReadGapMs: FAILOVER_READS_MS,
    },
    {
      name: 'kill the machine of the synchronous standby',
      make: async () => {
        const standby = await cluster.do('standby');
        await cluster.do('kill', standby);
        await setTimeout(20_000);
        await cluster.do('start', standby);
        await cluster.do('wait');
      },
      maxCreationGapMs: FAILOVER_CREATIONS_MS,
      maxReadGapMs: FAILOVER_READS_MS,
    },
    {
      name: 'kill PostgreSQL on both standby servers for 30 s',
      make: async () => {
        const leader = await cluster.do('leader');
        const others = ['1', '2', '3'].filter((machine) => machine !== leader);
        await Promise.all(others.map((machine) => cluster.do('kill-postgres', machine)));
        await setTimeout(30_000);
        await Promise.all(others.map((machine) => cluster.do('start-postgres', machine)));
        await cluster.do('wait');
      },
      // No creation may be acknowledged before one of the machines is back.
      maxCreationGapMs: 30_000 + FAILOVER_CREATIONS_MS,
      maxReadGapMs: 1000,
    },
    {
      name: 'kill one etcd',
      make: async () => {
        const leader = await cluster.do('leader');
        await cluster.do('kill-etcd', leader);
        await setTimeout(15_000);
        await cluster.do('start-etcd', leader);
        await cluster.do('wait');
      },
      maxCreationGapMs: FAILOVER_CREATIONS_MS,
      maxReadGapMs: FAILOVER_READS_MS,
    },
    {
      name: 'stop an instance of the service',
      make: async () => {
        await first.stop();
        await setTimeout(2000);
        first = await start(1);
      },
      maxCreationGapMs: 1000,
      maxReadGapMs: 1000,
      isUnnoticed: true,
      isUnnoticedByAll: true,
    },
    {
      name: 'kill an instance of the service',
      make: async () => {
        await second.kill();
        await setTimeout(2000);
        second = await start(2);
      },
      maxCreationGapMs: 1000,
      maxReadGapMs: 1000,
      isUnnoticed: true,
    },
    {
      name: 'freeze an instance of the service for 15 s',
      make: async () => {
        second.signal('SIGSTOP');
        await setTimeout(15_000);
        second.signal('SIGCONT');
      },
      // The frozen instance holds the lock of the account that it was changing.
      maxCreationGapMs: 15_000 + 5000,
      maxReadGapMs: 1000,
    },
  ];

  for (const trouble of troubles) {
    if (!trouble.name.includes(process.argv[2] ?? '')) continue;
    const load = new HaLoad({ url: cluster.serviceUrl, key, rate: RATE });
    await setTimeout(CALM_MS);
    const madeAt = performance.now();
    await trouble.make();
    await setTimeout(CALM_MS);
    const mendedAt = performance.now();
    const answers = await load.end();
    const { lost, twice } = await load.check();
    report(trouble, answers, { madeAt, mendedAt, lost, twice });
  }
} finally {
  for (const close of closers.reverse()) await close();
}
process.exitCode = isMissed ? 1 : 0;

interface Outcome {
  readonly madeAt: number;
  readonly mendedAt: number;
  readonly lost: readonly string[];
  readonly twice: readonly string[];
}

function report(trouble: Trouble, answers: readonly Answer[], { madeAt, mendedAt, lost, twice }: Outcome): void {
  const of = (...kinds: Answer['kind'][]) => answers.filter(({ kind }) => kinds.includes(kind));
  const failed = (some: readonly Answer[]) => some.filter(({ statuses }) => statuses[0] !== 200);
  const statuses = Object.entries(
    Object.groupBy(failed(answers), ({ kind, statuses: [status] }) => `${kind} ${status}`),
  );
  console.log(`${trouble.name}: ${answers.length} requests`);
  note('without a creation', longestGap(of('creation', 'once'), madeAt, mendedAt), trouble.maxCreationGapMs);
  note('without a read', longestGap(of('read'), madeAt, mendedAt), trouble.maxReadGapMs);
  const failures = failed(of('read', 'creation')).length;
  const failuresOnce = failed(of('once')).length;
  note('first attempts that failed', failures, trouble.isUnnoticed ? 0 : undefined, '');
  note('without an Idempotency-Key', failuresOnce, trouble.isUnnoticedByAll ? 0 : undefined, '');
  if (statuses.length > 0) console.log(`    ${statuses.map(([what, some]) => `${what}: ${some!.length}`).join(', ')}`);
  note('acknowledged and lost', lost.length, 0, '');
  note('made twice', twice.length, 0, '');
}

/** Returns the longest time without a successful answer, in milliseconds. */
function longestGap(answers: readonly Answer[], from: number, until: number): number {
  const times = answers
    .filter(({ statuses, answeredAt }) => statuses.at(-1) === 200 && answeredAt > from && answeredAt < until)
    .map(({ answeredAt }) => answeredAt)
    .sort((a, b) => a - b);
  return Math.max(...[...times, until].map((time, index) => time - (times[index - 1] ?? from)));
}

/** Prints a figure with its limit, if it has one. */
function note(what: string, figure: number, floor: number | undefined, unit = ' ms'): void {
  const isMet = floor === undefined || figure <= floor;
  if (!isMet) isMissed = true;
  const wanted = floor === undefined ? '' : ` (at most ${floor}${unit})`;
  console.log(`  ${what}: ${Math.round(figure)}${unit}${wanted}${isMet ? '' : ', missed'}`);
}

async function untilServed(url: string): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  while ((await fetch(`${url}/api/account.json`, { signal })).status !== 401) await setTimeout(100);
}
