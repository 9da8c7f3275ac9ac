import { parseArgs } from 'node:util';
import type { Received } from '../test/mailbox.ts';
import { startDemo } from './start.ts';

/*
 * Starts a demo agency: `npm run demo`, with `-- --port=8080` for a fixed port, and `--customers=40` for fewer customers.
 */

const { values } = parseArgs({ options: { port: { type: 'string' }, customers: { type: 'string', default: '300' } } });
const customers = wholeNumber('customers', values.customers);
const port = values.port === undefined ? {} : { port: wholeNumber('port', values.port) };

console.log(`Making an agency with ${customers} customers and three years of history …`);
const demo = await startDemo({ customers, ...port, onMail: printMail });
const { url, account, email, password, customer } = demo;
console.log(`
Open      ${url}/sign-in?account=${account}
Sign in   ${email}
Password  ${password}

As a customer, who sees the agency's brand:

Open      ${url}/sign-in?account=${customer.account}
Sign in   ${customer.email}

Everybody in the demo has this password. No message leaves this machine: each is printed here.
Ctrl+C ends the demo, and leaves nothing behind.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void demo.stop().then(() => process.exit(0)));
}

/** Prints the recipient of a message and the link in it. */
function printMail({ to, email: { subject, text = '' } }: Received): void {
  const links = text.match(/https?:\/\/\S+/g) ?? [];
  const link = links.find((one) => one.includes('#token=')) ?? links[0];
  console.log(`\nMail to   ${to.join(', ')}\nSubject   ${subject}${link ? `\nLink      ${link}` : ''}`);
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number.`);
  process.exit(2);
}
