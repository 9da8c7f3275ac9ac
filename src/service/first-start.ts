import { hasNoAccounts, setUpAccount } from '../accounts/setup.ts';
import { ownSubdomain } from '../accounts/subdomain.ts';
import { signInUrl } from '../addresses.ts';
import { type Config, commandOf, hasLocalHost, inShell } from '../config.ts';
import type { Db } from '../db/database.ts';
import { ValidationError } from '../errors.ts';

/**
 * Creates the first account of an empty installation, and shows the welcome text with the API key, which is never shown
 * again. Does nothing if there are accounts. Must be called once the service listens: if the start failed later, the key
 * would be buried in an error message.
 */
export async function firstStart(db: Db, config: Config, show: (text: string) => void): Promise<void> {
  // The service itself may have the subdomain "agency".
  const subdomain = ownSubdomain(config) === 'agency' ? 'my-agency' : 'agency';
  await db
    .transaction()
    .execute(async (trx) => {
      if (!(await hasNoAccounts(trx))) return;
      const input = { accountName: 'My Agency', subdomain, userName: 'Owner', userEmail: 'owner@localhost' };
      const { key } = await setUpAccount(trx, input, config);
      // Shows the key before the commit: a stored key has always been shown. If the commit fails, the next start shows
      // another key.
      show(welcome(key, subdomain, config));
    })
    .catch((error: unknown) => {
      // Another process that started at the same time has created the account.
      if (!(error instanceof ValidationError)) throw error;
    });
}

function welcome(key: string, subdomain: string, config: Config): string {
  const { publicUrl, inContainer } = config;
  const command = commandOf(config);
  const signIn = `${command} user sign-in-link --account ${subdomain}`;
  const howToSignIn = inContainer
    ? ['In the container, this command prints a link that signs you in once and lets you choose a password:', signIn]
    : [
        'This command prints a link that signs you in once and lets you choose a password:',
        `cd ${inShell(process.cwd())} && ${signIn}`,
        'Other commands need the same settings as the service.',
      ];
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  return `
Welcome to Freehold. This is the first start, so there is a first account: "My Agency".

  API key:  ${key}
            Shown only once, and not stored. For another key: ${command} key issue --help
  Sign in:  ${signInUrl(subdomain, config)}
            There is no password yet. ${howToSignIn.join('\n            ')}

Try it:

  curl ${authorization} ${publicUrl}/api/pages.json \\
    --data-urlencode 'page[name]=Hello' --data-urlencode 'page[body]=<p>Hello, world.</p>'

  curl ${authorization} ${publicUrl}/api/pages.json

  curl ${authorization} ${publicUrl}/api/customers.json \\
    -d 'customer[account_name]=Acme Bakery' -d 'customer[account_subdomain]=acme' \\
    -d 'customer[user_name]=Ann Baker' -d 'customer[user_email]=ann@example.com' \\
    -d 'customer[user_password]=rise early 4 bread' -d 'customer[user_password_confirmation]=rise early 4 bread'

To set up an account of your own name: ${command} setup --help
${advice(config).join('\n')}
The API is described at ${publicUrl}/api/docs, every option in docs/configuration.md.

`;
}

function advice(config: Config): string[] {
  const lines: string[] = [];
  if (config.smtpUrl === '')
    lines.push(`  SMTP_URL      your mail server; until then messages are kept in ${config.dataDir}/mail`);
  if (!config.publicUrl.startsWith('https:')) lines.push('  PUBLIC_URL    where clients reach the service, with https');
  if (hasLocalHost(`http://${config.sitesDomain}`))
    lines.push("  SITES_DOMAIN  the domain below which the accounts' sites are");
  if (config.databaseUrl === '')
    lines.push(`  DATABASE_URL  PostgreSQL; until then the data is in ${config.dataDir}/freehold.db`);
  return lines.length > 0 ? ['', 'Worth setting before you go live:', ...lines, ''] : [''];
}
