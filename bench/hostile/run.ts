import { memoryOf, type Running, resetPeakMemory } from '../processes.ts';
import { median } from '../report.ts';
import { type Attack, growthOf, MAX_GROWTH, MIN_COST_MS, type Request, type Target } from './attack.ts';
import { open, openSilent, sendOnce, write } from './client.ts';
import { cpuTimeOf, cpuTimeSince, settled } from './cost.ts';
import type { Probe } from './probe.ts';

export interface Measured {
  /** The response times of other clients during the attack, in milliseconds: of the service, and of the bare server. */
  readonly meanwhile: number;
  readonly bare: number;
  /** The response times of the bare server under the same attack, if the attack only concerns connections. */
  readonly attackedBare: number | undefined;
  /** The number of other clients' requests that failed. */
  readonly failed: number;
  /** The processor time of a request of each size, in milliseconds. */
  readonly costs: readonly number[];
  /** The number of answers to the attack by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The service's highest resident memory during the attack, in megabytes. */
  readonly memory: number;
}

const ATTACK_MS = 600;
/** The number of rounds of an attack. The median of the rounds counts. */
const ROUNDS = 3;
/** If others wait no longer than this, one round is enough. */
const UNDOUBTED_WAIT_MS = 25;
const MIN_MEASURED_MS = 25;
const MAX_ROUND_MS = 100;
/** No further round starts after this time. */
const MAX_COSTS_MS = 2000;
/** The most rounds while the cost seems to grow faster than the size. */
const MAX_ROUNDS = 9;

interface Probes {
  readonly ofService: Probe;
  readonly ofBare: Probe;
  readonly barePort: number;
}

export async function run(
  attack: Attack,
  target: Target,
  service: Running,
  { ofService, ofBare, barePort }: Probes,
): Promise<Measured> {
  resetPeakMemory(service.pid);
  const costs =
    attack.isHeap || attack.staysOpen || attack.sizes.length < 2 ? [] : await costsOf(attack, target, service);
  const statuses = new Map<number, number>();
  const rounds: Array<{ meanwhile: number; bare: number; failed: number }> = [];
  let request: Request | undefined;
  do {
    if (!request || attack.isFirst) request = await attack.make(attack.sizes.at(-1)!, target);
    await settled(service.pid);
    await Promise.all([ofService.take(), ofBare.take()]);
    await attackOnce(attack, request, target, statuses);
    const [meanwhile, bare] = await Promise.all([ofService.take(), ofBare.take()]);
    rounds.push({ meanwhile: p99(meanwhile.times), bare: p99(bare.times), failed: meanwhile.failed });
  } while (!attack.isHeap && rounds.length < ROUNDS && rounds[0]!.meanwhile > UNDOUBTED_WAIT_MS);
  let attackedBare: number | undefined;
  if (attack.staysOpen) {
    await attackOnce(attack, request, { ...target, port: barePort }, new Map());
    attackedBare = p99((await ofBare.take()).times);
  }
  return {
    meanwhile: median(rounds.map(({ meanwhile }) => meanwhile)),
    bare: median(rounds.map(({ bare }) => bare)),
    attackedBare,
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    costs,
    statuses,
    memory: memoryOf(service.pid, 'VmHWM'),
  };
}

/** Returns the lowest cost of several rounds for each size, with the sizes in turns: other work on the machine only adds to it. */
async function costsOf(attack: Attack, target: Target, { pid }: Running): Promise<number[]> {
  const least: number[] = attack.sizes.map(() => Number.POSITIVE_INFINITY);
  const end = performance.now() + MAX_COSTS_MS;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (least.at(-1)! < MIN_COST_MS / 2) break;
    if (round > 0 && growthOf(least) <= MAX_GROWTH && (round >= ROUNDS || performance.now() > end)) break;
    for (const [index, size] of attack.sizes.entries()) {
      const request = await attack.make(size, target);
      const [cpu, started] = [cpuTimeOf(pid), performance.now()];
      let sent = 0;
      do {
        await sendOnce(target.port, request);
        sent += 1;
      } while (
        !attack.isFirst &&
        cpuTimeSince(pid, cpu) < MIN_MEASURED_MS &&
        performance.now() - started < MAX_ROUND_MS
      );
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
  if (attack.staysOpen) {
    const sockets = Array.from({ length: connections }, () =>
      attack.isSentLater ? openSilent(port) : open(port, request),
    );
    if (attack.isSentLater) {
      await pause(ATTACK_MS);
      for (const socket of sockets) write(socket, request);
    }
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
