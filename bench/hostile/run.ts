import { memoryOf, type Running } from '../processes.ts';
import { median } from '../report.ts';
import type { Attack, Request, Target } from './attack.ts';
import { open, sendOnce } from './client.ts';
import { cpuTimeOf, settled } from './cost.ts';
import type { Probe } from './probe.ts';

export interface Measured {
  /** The times of other clients' requests in milliseconds: without load, just before the attack, and during it. */
  readonly quiet: number;
  readonly meanwhile: number;
  /** Requests of others that were not answered as they should be. */
  readonly failed: number;
  /** Processor time for a request of each size, in milliseconds. */
  readonly costs: readonly number[];
  /** The statuses of the attack's answers, and how many there were of each. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The service's resident memory so far at most, in megabytes. */
  readonly memory: number;
}

const QUIET_MS = 250;
const ATTACK_MS = 600;
const COST_ROUNDS = 3;
/** Processor time is counted in ticks: so much of it, or so long. */
const MIN_COST_MS = 60;
const MAX_ROUND_MS = 150;
/** No further round is begun after this. */
const MAX_COSTS_MS = 3000;

export async function run(attack: Attack, target: Target, service: Running, probe: Probe): Promise<Measured> {
  const costs =
    attack.isHeap || attack.isUnfinished || attack.sizes.length < 2 ? [] : await costsOf(attack, target, service);
  const request = await attack.make(attack.sizes.at(-1)!, target);
  await settled(service.pid);
  await probe.take();
  await pause(QUIET_MS);
  const quiet = await probe.take();
  const statuses = await attackOnce(attack, request, target);
  const meanwhile = await probe.take();
  return {
    quiet: p99(quiet.times),
    meanwhile: p99(meanwhile.times),
    failed: meanwhile.failed,
    costs,
    statuses,
    memory: memoryOf(service.pid, 'VmHWM'),
  };
}

/** The median of some rounds for each size, the sizes in turns. */
async function costsOf(attack: Attack, target: Target, { pid }: Running): Promise<number[]> {
  const rounds: number[][] = attack.sizes.map(() => []);
  const end = performance.now() + MAX_COSTS_MS;
  for (let round = 0; round < COST_ROUNDS && performance.now() < end; round++) {
    for (const [index, size] of attack.sizes.entries()) {
      const request = await attack.make(size, target);
      const [cpu, started] = [cpuTimeOf(pid), performance.now()];
      let sent = 0;
      do {
        await sendOnce(target.port, request);
        sent += 1;
      } while (!attack.isFirst && cpuTimeOf(pid) - cpu < MIN_COST_MS && performance.now() - started < MAX_ROUND_MS);
      rounds[index]!.push((cpuTimeOf(pid) - cpu) / sent);
    }
  }
  return rounds.map(median);
}

/** Runs the attack while the requests of others are measured. */
async function attackOnce(attack: Attack, request: Request, { port }: Target): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const { connections = 8 } = attack;
  if (attack.isUnfinished) {
    const sockets = Array.from({ length: connections }, () => open(port, request));
    await pause(3 * ATTACK_MS);
    for (const socket of sockets) socket.destroy();
    return statuses;
  }
  const end = performance.now() + ATTACK_MS;
  const attackers = Array.from({ length: connections }, async () => {
    do {
      const { status } = await sendOnce(port, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    } while (!attack.isHeap && performance.now() < end);
  });
  await Promise.all(attackers);
  return statuses;
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
