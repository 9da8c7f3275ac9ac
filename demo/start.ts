import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../bench/processes.ts';
import { freePort } from '../test/free-port.ts';
import { owner, PASSWORD } from './agency.ts';
import { fillDemo } from './fill.ts';

interface DemoOptions {
  /** How many customers the agency has. */
  customers?: number;
  port?: number;
}

export interface Demo {
  url: string;
  port: number;
  account: string;
  email: string;
  password: string;
  /** A customer's owner. */
  customer: { account: string; email: string };
  stop(): Promise<void>;
}

/** Starts the service with an agency to look at, in a folder that is deleted when this process ends. */
export async function startDemo({ customers = 300, port }: DemoOptions = {}): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'freehold-demo-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const chosenPort = port ?? (await freePort());
  const addresses = { publicUrl: `http://localhost:${chosenPort}`, sitesDomain: `localhost:${chosenPort}` };
  const customer = await fillDemo(dataDir, addresses, customers);
  const server = await startServer('src/server.js', {
    env: {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      PUBLIC_URL: addresses.publicUrl,
      SITES_DOMAIN: addresses.sitesDomain,
    },
    port: chosenPort,
    cpu: '',
  });
  const { account, email } = owner;
  const { publicUrl: url } = addresses;
  return { url, port: chosenPort, account, email, password: PASSWORD, customer, stop: () => server.stop() };
}
