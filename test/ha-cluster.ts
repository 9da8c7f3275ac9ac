import { execFile, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Program, startProgram } from '../e2e/program.ts';
import { beforeClosing, type Lifetime } from './databases.ts';
import { freePort } from './free-port.ts';

export const haFolder = join(import.meta.dirname, '../deploy/ha');

const run = promisify(execFile);

/** Returns a sentence about what `deploy/ha/cluster.sh` needs and this machine lacks, or an empty string. */
export function missingForCluster(): string {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const has = (command: string, ...args: string[]) => spawnSync(command, args, { env }).status === 0;
  const wanted = {
    'etcd-server': has('etcd', '--version'),
    haproxy: has('haproxy', '-v'),
    patroni: has('patroni', '--version'),
    pgbackrest: has('pgbackrest', 'version'),
    'postgresql-15': existsSync('/usr/lib/postgresql/15/bin/postgres'),
    'python3-etcd': has('/usr/bin/python3', '-c', 'import etcd'),
    curl: has('curl', '--version'),
  };
  if (process.getuid?.() !== 0) return 'it has to run as root';
  const missing = Object.entries(wanted).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  return missing.length > 0 ? `these Debian packages are missing: ${missing.join(', ')}` : '';
}

/** Three simulated machines with etcd, Patroni and PostgreSQL, and one HAProxy, started by deploy/ha/cluster.sh. */
export class HaCluster {
  readonly databaseUrl: string;
  /** The URL of the service behind HAProxy. */
  readonly serviceUrl: string;
  readonly #network: string;
  /** Unusual ports, since other programs may listen on the usual ones at all addresses. */
  readonly #ports: { service: number; metrics: number };
  readonly #folder: string;

  private constructor(network: string, folder: string, ports: { service: number; metrics: number }) {
    this.#network = network;
    this.#folder = folder;
    this.#ports = ports;
    this.databaseUrl = '';
    this.serviceUrl = `http://${network}.4:8000`;
  }

  /** Starts a cluster, which stops when the test ends. */
  static async start(t: Lifetime): Promise<HaCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'freehold-ha-'));
    // The database's own user must be able to reach it when this runs as root.
    await chmod(folder, 0o755);
    // Concurrent clusters need different addresses.
    const network = `127.${randomInt(64, 192)}.${randomInt(256)}`;
    const cluster = new HaCluster(network, join(folder, 'cluster'), {
      service: await freePort(),
      metrics: await freePort(),
    });
    const end = () => cluster.do('down');
    const abandon = () => {
      spawnSync(join(haFolder, 'cluster.sh'), ['down'], { env: cluster.#environment });
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', abandon);
    beforeClosing(t, async () => {
      await end();
      process.off('exit', abandon);
      await rm(folder, { recursive: true, force: true });
    });
    const said = await cluster.do('up');
    const url = /DATABASE_URL=(\S+)/.exec(said)?.[1];
    if (!url) throw new Error(`No address of the database in:\n${said}`);
    return Object.assign(cluster, { databaseUrl: url });
  }

  /** Runs a command of cluster.sh and returns its output. */
  async do(...args: string[]): Promise<string> {
    const { stdout } = await run(join(haFolder, 'cluster.sh'), args, { env: this.#environment });
    return stdout.trim();
  }

  /** Returns the metrics of all programs of a machine, and of HAProxy. */
  async metrics(machine: 1 | 2 | 3): Promise<string> {
    const addresses = [`${machine}:8008`, `${machine}:2379`, '4:8404'];
    const answers = addresses.map(async (each) => (await fetch(`http://${this.#network}.${each}/metrics`)).text());
    return (await Promise.all(answers)).join('\n');
  }

  /** Starts an instance of the service on a machine, and waits until it serves. */
  startInstance(t: Lifetime, machine: 1 | 2 | 3, dataDir: string, more = {}): Promise<Program> {
    const replica = this.databaseUrl.replace(':5000/', ':5001/');
    const database = { dataDir, databaseUrl: this.databaseUrl, databasePool: 10 };
    const listens = {
      HOST: `${this.#network}.${machine}`,
      PORT: `${this.#ports.service}`,
      METRICS_PORT: `${this.#ports.metrics}`,
    };
    return startProgram(t, database, {
      ...listens,
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: this.serviceUrl,
      DATABASE_REPLICA_URL: replica,
      ...more,
    });
  }

  get #environment() {
    const { service, metrics } = this.#ports;
    const ports = { SERVICE_PORT: `${service}`, SERVICE_METRICS_PORT: `${metrics}` };
    return { PATH: process.env.PATH, RUN: this.#folder, NETWORK: this.#network, ...ports };
  }
}
