/*
 * Simulates ten million accounts on twenty shards, with costs that the benchmarks measured on PostgreSQL: `node bench/shards.ts`. It
 * answers whether agencies can be assigned to shards by their ids or need a directory. See docs/decisions/073.
 */

const ACCOUNTS = 10_000_000;
const SHARDS = 20;
/** The number of customers of the largest agency. The sizes of agencies follow a power law. */
const LARGEST_AGENCY = 200_000;
const POWER = 0.8;

/** Processor seconds of the database's machine per request: the inverse of the rates in `bench/results.md`. */
const COSTS = { visit: 1 / 15_000, read: 1 / 7000, write: 1 / 1350 };
/** Requests a second to an average customer's website and programs in the busiest hour. Some customers get a thousand times as many. */
const RATES = { visit: 0.004, read: 0.0008, write: 0.0002 };
const SPREAD = 1.6;

/** Returns a generator of reproducible random numbers (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = randomNumbers(1);

/** Draws an activity from a log-normal distribution whose mean is 1. */
function activity(): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(SPREAD * normal - SPREAD ** 2 / 2);
}

interface Agency {
  readonly accounts: number;
  /** Processor seconds per second in the busiest hour. */
  readonly load: number;
}

function agencies(): Agency[] {
  const made: Agency[] = [];
  const perAccount = RATES.visit * COSTS.visit + RATES.read * COSTS.read + RATES.write * COSTS.write;
  for (let left = ACCOUNTS, rank = 1; left > 0; rank++) {
    const accounts = Math.min(left, Math.max(1, Math.round(LARGEST_AGENCY / rank ** POWER)));
    let load = 0;
    for (let account = 0; account < accounts; account++) load += perAccount * activity();
    made.push({ accounts, load });
    left -= accounts;
  }
  // Shuffle, since agencies arrive in any order.
  for (let index = made.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [made[index], made[other]] = [made[other]!, made[index]!];
  }
  return made;
}

type Place = (agency: Agency, index: number, shards: readonly Shard[]) => number;

interface Shard {
  accounts: number;
  load: number;
  readonly agencies: Set<Agency>;
}

function simulate(name: string, all: readonly Agency[], place: Place): Shard[] {
  const shards = Array.from({ length: SHARDS }, (): Shard => ({ accounts: 0, load: 0, agencies: new Set() }));
  for (const [index, agency] of all.entries()) {
    const shard = shards[place(agency, index, shards)]!;
    add(shard, agency);
  }
  tell(name, shards);
  return shards;
}

function add(shard: Shard, agency: Agency, sign: 1 | -1 = 1): void {
  shard.accounts += sign * agency.accounts;
  shard.load += sign * agency.load;
  if (sign === 1) shard.agencies.add(agency);
  else shard.agencies.delete(agency);
}

function tell(name: string, shards: readonly Shard[]): void {
  const loads = shards.map(({ load }) => load).sort((a, b) => a - b);
  const mean = loads.reduce((sum, load) => sum + load, 0) / SHARDS;
  const sizes = shards.map(({ accounts }) => accounts).sort((a, b) => a - b);
  const share = (part: number) => `${((100 * part) / mean).toFixed(0)}%`;
  console.log(
    `${name}: busiest shard ${loads.at(-1)!.toFixed(2)} of a machine (${share(loads.at(-1)!)} of the mean ${mean.toFixed(2)}), ` +
      `least busy ${loads[0]!.toFixed(2)} (${share(loads[0]!)}); accounts ${sizes[0]!.toLocaleString('en')} to ${sizes.at(-1)!.toLocaleString('en')}`,
  );
}

const all = agencies();
const largest = all.reduce((most, agency) => (agency.accounts > most.accounts ? agency : most));
console.log(
  `${all.length.toLocaleString('en')} top-level accounts; the largest has ${largest.accounts.toLocaleString('en')}, ${largest.load.toFixed(3)} of a machine`,
);
// A multiplicative hash of the id.
const byHash: Place = (_, index) => Math.floor(((Math.imul(index + 1, 0x9e3779b1) >>> 0) / 4_294_967_296) * SHARDS);
const leastOf = (value: (shard: Shard) => number): Place => {
  return (_, __, shards) =>
    shards.reduce((best, shard, index) => (value(shard) < value(shards[best]!) ? index : best), 0);
};
const hashed = simulate('by a hash of the id', all, byHash);
simulate(
  'by a directory, to the shard with the fewest accounts',
  all,
  leastOf(({ accounts }) => accounts),
);
simulate(
  'by a directory, to the least busy shard',
  all,
  leastOf(({ load }) => load),
);
rebalance(hashed);

/** Moves agencies from the busiest shard to the least busy one until all are within 5 %, always the agency that brings both closest. */
function rebalance(shards: readonly Shard[]): void {
  const mean = shards.reduce((sum, { load }) => sum + load, 0) / SHARDS;
  const moved = { agencies: 0, accounts: 0 };
  for (;;) {
    const byLoad = shards.toSorted((a, b) => a.load - b.load);
    const [least, busiest] = [byLoad[0]!, byLoad.at(-1)!];
    if (busiest.load <= 1.05 * mean) break;
    const wanted = Math.min(busiest.load - mean, mean - least.load);
    const distance = ({ load }: Agency) => Math.abs(load - wanted);
    const agency = [...busiest.agencies].reduce((best, one) => (distance(one) < distance(best) ? one : best));
    add(busiest, agency, -1);
    add(least, agency);
    moved.agencies += 1;
    moved.accounts += agency.accounts;
  }
  tell('the first, after moves', shards);
  console.log(`moved: ${moved.agencies} agencies with ${moved.accounts.toLocaleString('en')} accounts`);
}
