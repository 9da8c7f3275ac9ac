import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOAD_CPU, pinned, scratchFolder } from './processes.ts';

export interface Load {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /**
   * Paths to POST to in turn; each `{n}` becomes a number that is unique to the request. Without `posts`, `url` is read.
   */
  posts?: readonly string[];
}

export interface Measured {
  perSecond: number;
  /** The 99th percentile in milliseconds. */
  p99: number;
  requests: number;
  /** The number of answers other than 2xx and 3xx. */
  failed: number;
}

/** wrk uses the least processor time. If it is not installed, autocannon from the packages takes its place. */
export const loadTool = spawnSync('wrk', ['--version']).error ? 'autocannon' : 'wrk';

const folder = scratchFolder();
let runs = 0;

export async function load(load: Load): Promise<Measured> {
  runs += 1;
  return loadTool === 'wrk' ? runWrk(load) : runAutocannon(load);
}

async function runWrk({ url, connections, seconds, headers = {}, posts }: Load): Promise<Measured> {
  const args = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '10s'];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  if (posts) {
    const script = join(folder, `post-${runs}.lua`);
    const list = posts.map((path) => JSON.stringify(path)).join(',');
    writeFileSync(
      script,
      `local paths={${list}} local n=0
request=function() n=n+1 return wrk.format("POST", (paths[n % #paths + 1]:gsub("{n}", "${runs}-" .. n))) end`,
    );
    args.push('-s', script);
  }
  const output = await read(pinned(LOAD_CPU, [...args, url]));
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const [, p99 = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p99: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
    requests: number(/(\d+) requests in/),
    failed: number(/Non-2xx or 3xx responses: (\d+)/),
  };
}

async function runAutocannon(load: Load): Promise<Measured> {
  const script = join(import.meta.dirname, 'autocannon.ts');
  const argument = JSON.stringify({ ...load, tag: `${runs}-` });
  return JSON.parse(await read(pinned(LOAD_CPU, [process.execPath, script, argument]))) as Measured;
}

function read([program, args]: [string, string[]]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code}`))));
  });
}
