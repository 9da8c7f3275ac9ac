import { parseArgs } from 'node:util';
import { startDemo } from './start.ts';

/*
 * An agency to look at: `npm run demo`, with `-- --port=8080` for a certain port, and `--customers=40` for fewer customers.
 */

const { values } = parseArgs({ options: { port: { type: 'string' }, customers: { type: 'string', default: '300' } } });
const customers = wholeNumber('customers', values.customers);
const port = values.port === undefined ? {} : { port: wholeNumber('port', values.port) };

console.log(`Making an agency with ${customers} customers and three years of history …`);
const demo = await startDemo({ customers, ...port });
const { url, account, email, password, customer } = demo;
console.log(`
Open      ${url}/sign-in?account=${account}
Sign in   ${email}
Password  ${password}

As a customer, who sees the agency's brand:

Open      ${url}/sign-in?account=${customer.account}
Sign in   ${customer.email}

Everybody in the demo has this password. Ctrl+C ends it, and leaves nothing behind.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void demo.stop().then(() => process.exit(0)));
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number.`);
  process.exit(2);
}
