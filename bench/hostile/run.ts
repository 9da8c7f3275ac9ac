import { memoryOf, type Running } from '../processes.ts';
import { median } from '../report.ts';
import type { Attack, Request, Target } from './attack.ts';
import { open, sendOnce } from './client.ts';
import { cpuTimeOf, cpuTimeSince, settled } from './cost.ts';
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
/** How often the attack is made: of the times that others waited, the median of the rounds counts. */
const ROUNDS = 3;
const MIN_COST_MS = 30;
const MAX_ROUND_MS = 150;
/** No further round is begun after this. */
const MAX_COSTS_MS = 4000;

export async function run(attack: Attack, target: Target, service: Running, probe: Probe): Promise<Measured> {
  const costs =
    attack.isHeap || attack.isUnfinished || attack.sizes.length < 2 ? [] : await costsOf(attack, target, service);
  const statuses = new Map<number, number>();
  const rounds: Array<{ quiet: number; meanwhile: number; failed: number }> = [];
  let request: Request | undefined;
  while (rounds.length < (attack.isHeap ? 1 : ROUNDS)) {
    if (!request || attack.isFirst) request = await attack.make(attack.sizes.at(-1)!, target);
    await settled(service.pid);
    await probe.take();
    await pause(QUIET_MS);
    const quiet = await probe.take();
    await attackOnce(attack, request, target, statuses);
    const meanwhile = await probe.take();
    rounds.push({ quiet: p99(quiet.times), meanwhile: p99(meanwhile.times), failed: meanwhile.failed });
  }
  return {
    quiet: median(rounds.map(({ quiet }) => quiet)),
    meanwhile: median(rounds.map(({ meanwhile }) => meanwhile)),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    costs,
    statuses,
    memory: memoryOf(service.pid, 'VmHWM'),
  };
}

/** The least of some rounds for each size, the sizes in turns: whatever else there is on the machine only adds to it. */
async function costsOf(attack: Attack, target: Target, { pid }: Running): Promise<number[]> {
  const least: number[] = attack.sizes.map(() => Number.POSITIVE_INFINITY);
  const end = performance.now() + MAX_COSTS_MS;
  for (let round = 0; round < ROUNDS && (round === 0 || performance.now() < end); round++) {
    for (const [index, size] of attack.sizes.entries()) {
      const request = await attack.make(size, target);
      const [cpu, started] = [cpuTimeOf(pid), performance.now()];
      let sent = 0;
      do {
        await sendOnce(target.port, request);
        sent += 1;
      } while (!attack.isFirst && cpuTimeSince(pid, cpu) < MIN_COST_MS && performance.now() - started < MAX_ROUND_MS);
      least[index] = Math.min(least[index]!, cpuTimeSince(pid, cpu) / sent);
    }
  }
  return least;
}

/** Runs the attack, and counts the statuses of its answers. */
async function attackOnce(
  attack: Attack,
  request: Request,
  { port }: Target,
  statuses: Map<number, number>,
): Promise<void> {
  const { connections = 8 } = attack;
  if (attack.isUnfinished) {
    const sockets = Array.from({ length: connections }, () => open(port, request));
    await pause(3 * ATTACK_MS);
    for (const socket of sockets) socket.destroy();
    return;
  }
  const end = performance.now() + ATTACK_MS;
  const attackers = Array.from({ length: connections }, async () => {
    do {
      const { status } = await sendOnce(port, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    } while (!attack.isHeap && performance.now() < end);
  });
  await Promise.all(attackers);
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
