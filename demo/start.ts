import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../bench/processes.ts';
import { freePort } from '../test/free-port.ts';
import { Mailbox, type Received } from '../test/mailbox.ts';
import { owner, PASSWORD } from './agency.ts';
import { fillDemo, MAIL_FROM } from './fill.ts';

interface DemoOptions {
  /** The number of customers of the agency. */
  customers?: number;
  port?: number;
  /** Called with each message that the demo sends. */
  onMail?: (message: Received) => void;
}

export interface Demo {
  url: string;
  port: number;
  account: string;
  email: string;
  password: string;
  /** The owner of a customer's account. */
  customer: { account: string; email: string };
  stop(): Promise<void>;
}

/** Starts the service with a demo agency, in a folder that is deleted when this process ends. */
export async function startDemo({ customers = 300, port, onMail }: DemoOptions = {}): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'freehold-demo-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const chosenPort = port ?? (await freePort());
  const addresses = { publicUrl: `http://localhost:${chosenPort}`, sitesDomain: `localhost:${chosenPort}` };
  const customer = await fillDemo(dataDir, addresses, customers);
  // No message leaves the machine.
  const mailbox = new Mailbox({});
  if (onMail) mailbox.onReceived = onMail;
  await mailbox.open();
  const server = await startServer('src/server.js', {
    env: {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      PUBLIC_URL: addresses.publicUrl,
      SITES_DOMAIN: addresses.sitesDomain,
      SMTP_URL: mailbox.url,
      MAIL_FROM,
    },
    port: chosenPort,
    cpu: '',
  });
  const stop = async () => {
    await server.stop();
    await mailbox.close();
  };
  const { account, email } = owner;
  const { publicUrl: url } = addresses;
  return { url, port: chosenPort, account, email, password: PASSWORD, customer, stop };
}
