import { changeSettings } from '../src/accounts/change-settings.ts';
import { setUpAccount } from '../src/accounts/setup.ts';
import type { Addresses } from '../src/addresses.ts';
import type { Trx } from '../src/db/database.ts';
import { inviteUser } from '../src/users/invite-user.ts';
import type { ActingUser } from '../src/users/roles.ts';
import { setPassword } from '../src/users/set-password.ts';
import { addPages } from './build-site.ts';

/** The owner of the agency, whose account visitors of the demo use. All users of the demo have the same password. */
export const owner = { account: 'northlight', name: 'Maya Hart', email: 'maya@northlight.example' } as const;
export const PASSWORD = 'come in and look';

export interface Agency {
  id: number;
  owner: ActingUser;
  colleague: ActingUser;
  /** The hash of `PASSWORD`. */
  passwordHash: string;
}

const ip = '203.0.113.24';

/** Creates the agency with its users and its own site. */
export async function foundAgency(
  trx: Trx,
  settings: Addresses & { mailFrom: string },
  passwordHash: string,
): Promise<Agency> {
  const account = { accountName: 'Northlight Studio', subdomain: owner.account, userName: owner.name };
  const { accountId: id, userId } = await setUpAccount(trx, { ...account, userEmail: owner.email }, settings);
  const maya: ActingUser = { userId, name: owner.name, ip, role: 'owner' };
  await setPassword(trx, id, userId, { passwordHash, byMailedLink: true });
  await changeSettings(
    trx,
    id,
    { theme: 'business', accent: '#5b4bb7', language: 'en-GB', timeZone: 'Europe/London' },
    maya,
  );
  const invite = async (name: string, role: 'admin' | 'accountant') => {
    const email = `${name.split(' ')[0]!.toLowerCase()}@northlight.example`;
    const userId = await inviteUser(trx, id, { name, email, role }, maya, settings);
    await setPassword(trx, id, userId, { passwordHash, byMailedLink: true });
    return { userId, name, ip, role } satisfies ActingUser;
  };
  const colleague = await invite('Jonas Field', 'admin');
  await invite('Ruth Calder', 'accountant');
  await addPages(trx, id, pages, maya);
  return { id, owner: maya, colleague, passwordHash };
}

const pages = [
  {
    name: 'Home',
    description: 'Websites for businesses with a door: made in two weeks, looked after for years.',
    body: `<h1>Websites for businesses with a door</h1>
<p>Bakeries, plumbers, studios, practices: we make their websites in two weeks and look after them for years.</p>
<h2>How it works</h2>
<ol><li><strong>We visit you.</strong> An hour, a coffee, a list.</li><li><strong>We build.</strong> Two weeks, and you see it grow.</li><li><strong>You take over.</strong> Change a price or a picture yourself, on your phone.</li></ol>
<blockquote><p>My oldest employee changes the menu every morning. That says everything.</p></blockquote>
<p><a href="/prices">What it costs</a></p>`,
  },
  {
    name: 'Prices',
    description: 'Three plans, no small print.',
    body: `<h1>Prices</h1><p>Each plan includes the address, the hosting, backups, and somebody who answers.</p>
<table><thead><tr><th>Plan</th><th>A month</th><th>For</th></tr></thead><tbody><tr><td>Starter</td><td>£19</td><td>Twelve pages, three people</td></tr><tr><td>Business</td><td>£39</td><td>Forty pages, five people</td></tr><tr><td>Premium</td><td>£89</td><td>As many as you need</td></tr></tbody></table>
<p>Clubs and charities pay nothing.</p>`,
  },
  {
    name: 'Contact',
    description: 'Where we are, and when.',
    body: '<h1>Contact</h1><p>Northlight Studio<br>4 Weavers Yard<br>Alderbrook</p><p>Monday to Friday, 9 am to 5 pm: 01632 960412.</p>',
  },
];
