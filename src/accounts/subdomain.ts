import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

/** How long a subdomain that its account gave up is kept from others, in milliseconds: 90 days. */
export const RELEASE_PERIOD = 90 * 24 * 60 * 60 * 1000;

/**
 * Names that would let an account pass for a part of the installation, or that programs ask for by themselves
 * (autodiscover, wpad, …), and those that mail standards reserve.
 */
const reserved = new Set(
  `about abuse account accounts acme-challenge admin administrator api app apps assets auth autoconfig autodiscover beta
  billing blog broadcasthost cache cdn chat cpanel dashboard demo-api dev developer dns docs domain email exchange ftp
  git graphql health help host hostmaster id imap info internal isatap kb legal license localdomain localhost login
  logout mail mailer-daemon manage marketing media metrics mobile monitor mta-sts mx my news nobody noc noreply no-reply
  ns ns0 ns1 ns2 ns3 ns4 ns5 oauth official openid operator owa panel partner partners password pay payment payments
  ping pop pop3 portal postmaster preview privacy private prod production proxy public register registration relay root
  sales secure security server service services sftp shop sign-in sign-up signin signup site sites smtp ssh ssl ssladmin
  ssladministrator sslwebmaster sso staff staging stage static stats status store support sysadmin system team terms
  test tls tmp tools undefined update upload uploads usenet user users uucp vpn web webhook webhooks webmail webmaster
  whois wiki wpad www www1 www2 www3 xmpp`.split(/\s+/),
);

/** A subdomain as it is stored. Others than ASCII are not to turn into ASCII unseen, and are refused as they are. */
export function normalSubdomain(text: string): string {
  const trimmed = text.trim();
  return /^[A-Za-z0-9-]*$/.test(trimmed) ? trimmed.toLowerCase() : trimmed;
}

/** What is wrong with a subdomain in lower case, as the end of a sentence; undefined when nothing is. */
export function subdomainMistake(subdomain: string): string | undefined {
  if (subdomain === '') return "can't be blank";
  if (subdomain.length > 63) return 'is too long (maximum is 63 characters)';
  if (!/^[a-z0-9-]+$/.test(subdomain)) return 'can only have letters, digits and hyphens';
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) return "can't begin or end with a hyphen";
  // Forms with hyphens third and fourth are internationalised names in disguise.
  if (subdomain.startsWith('xn--') || reserved.has(subdomain)) return 'is reserved';
  return undefined;
}

/** Whether someone has the subdomain, or gave it up so lately that only they may have it back. */
export async function isSubdomainTaken(db: Db | Trx, subdomain: string): Promise<boolean> {
  const accounts = await selectAccount(db, { subdomain });
  return accounts.length > 0 || isSubdomainHeld(db, subdomain);
}

const selectAccount = prepared<{ subdomain: string }, { id: number }>((db, parameter) =>
  db.selectFrom('accounts').select('id').where('subdomain', '=', parameter('subdomain')),
);

/** Whether the subdomain was given up less than 90 days ago by an account other than `accountId`. */
export async function isSubdomainHeld(db: Db | Trx, subdomain: string, accountId = 0): Promise<boolean> {
  const held = await selectHeld(db, { subdomain, accountId, since: Date.now() - RELEASE_PERIOD });
  return held.length > 0;
}

const selectHeld = prepared<{ subdomain: string; accountId: number; since: number }, { account_id: number }>(
  (db, parameter) =>
    db
      .selectFrom('released_subdomains')
      .select('account_id')
      .where('subdomain', '=', parameter('subdomain'))
      .where('released_at', '>', parameter('since'))
      .where('account_id', '!=', parameter('accountId')),
);
