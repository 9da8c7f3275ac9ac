import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Data } from './fill.ts';
import { load } from './load.ts';
import { type Running, startService } from './processes.ts';
import { quietly } from './quiet-client.ts';
import { median, note, only, round, SECONDS, TURNS } from './report.ts';
import { newPage, post } from './requests.ts';

/**
 * Measures how many creations share one sync to disk, if strace is installed. A kernel filter makes strace see the syncs only:
 * otherwise every system call would wait for strace, and hardly any creations would share a sync.
 */
export async function measureSyncs(dataDir: string, { empty }: Data): Promise<void> {
  const work = 'POST pages.json: creations to one sync';
  if (!work.includes(only) || spawnSync('strace', ['-V']).error) return;
  const file = join(dataDir, 'syncs');
  const count = ['strace', '-D', '-f', '--seccomp-bpf', '-c', '-o', file, '-e', 'trace=fsync,fdatasync'];
  const service = await startService({ DATA_DIR: dataDir }, undefined, count);
  const { requests } = await post(service, [newPage(empty)]);
  await service.stop();
  let output = '';
  // strace writes its counts when the process has ended.
  while (!output.includes('total')) {
    await setTimeout(10);
    output = readFileSync(file, 'utf8');
  }
  const syncs = [...output.matchAll(/\s(\d+)\s+(?:\d+\s+)?(?:fsync|fdatasync)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  note(work, `${round(requests / syncs, 1)}  (${requests} creations, ${syncs} syncs)`, '8', requests / syncs >= 8);
}

export async function measureCustomers(service: Running, { typical, empty }: Data): Promise<void> {
  const work = 'POST customers.json, 8 clients';
  if (!work.includes(only)) return;
  const password = encodeURIComponent('rise early 4 bread');
  const path = `/api/customers.json?api_key=${typical.key}&customer%5Baccount_name%5D=Acme&customer%5Buser_name%5D=Ann&customer%5Buser_email%5D=ann-{n}%40example.com&customer%5Buser_password%5D=${password}&customer%5Buser_password_confirmation%5D=${password}&customer%5Baccount_subdomain%5D=bench-{n}`;
  // Turns are longer than elsewhere: a 99th percentile needs many answers, and the eight requests in flight at the end are not
  // counted, while all hashes are.
  const seconds = 5 * SECONDS;
  const turns = Math.ceil(TURNS / 2);
  const raw = () =>
    Number(execFileSync(process.execPath, [join(import.meta.dirname, 'argon2.ts'), '8', String(seconds)]));
  const ratios: number[] = [];
  const p99s: number[] = [];
  const create = () => load({ url: service.url, connections: 8, seconds, posts: [path] });
  // The first turn warms up the code, as in every comparison.
  await create();
  await untilMailIsOut(service);
  for (let turn = 0; turn < turns; turn++) {
    const base = raw();
    const [creations, others] = await Promise.all([
      create(),
      quietly(`${service.url}/api/account.json?api_key=${empty.key}`, seconds),
    ]);
    if (creations.failed > 0) throw new Error(`${creations.failed} customers failed`);
    ratios.push(creations.perSecond / base);
    p99s.push(others);
    // Otherwise the raw hashes of the next turn would compete with this turn's mail.
    await untilMailIsOut(service);
  }
  note(work, `${round(median(ratios), 2)} of the raw Argon2id rate`, '0.90', median(ratios) >= 0.9);
  note(
    '… meanwhile account.json of another account, p99',
    `${round(median(p99s), 1)} ms`,
    'under 20 ms',
    median(p99s) < 20,
  );
}

async function untilMailIsOut(service: Running): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const [, queued] = /^freehold_outbox_messages\{status="queued"\} (\d+)$/m.exec(metrics) ?? [];
    if (queued === undefined) throw new Error('The metrics do not say how much mail is queued.');
    if (queued === '0') return;
    await setTimeout(100);
  }
}
