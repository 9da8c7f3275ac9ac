import { sql } from 'kysely';
import type { Addresses } from '../addresses.ts';
import type { Db, Trx } from '../db/database.ts';
import { textRows } from '../db/json-list.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import type { BrokenRule } from '../field-error.ts';

/** How long a subdomain stays reserved after its account gave it up: 90 days. */
export const RELEASE_PERIOD_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Names that are not available to accounts. Some would let an account pass for a part of the installation or for its
 * operator. Programs request others on their own (autodiscover, wpad, …), and mail servers and certificate authorities trust
 * others. Everyday words stay available to customers.
 */
const reserved = new Set(
  `abuse account accounts acme-challenge admin administrator api app apps assets auth autoconfig autodiscover billing
  broadcasthost cdn console cpanel dashboard dev exchange git graphql host hostmaster id internal isatap localdomain
  localhost login logout mailer-daemon manage metrics monitor mta-sts no-reply nobody noc noreply oauth official openid
  operator owa panel password payment payments portal postmaster preview privacy prod production proxy register
  registration relay root secure security server sftp sign-in sign-up signin signup ssh ssl ssladmin ssladministrator
  sslwebmaster sso staff staging static status support sysadmin system tls undefined usenet uucp vpn webhook webhooks
  webmail webmaster whois wpad xmpp`.split(/\s+/),
);

/** Server names with an optional number: ns1, mx2, www3. */
const numberedServer = /^(www|ns|mx|mail|smtp|imap|pop|dns|ftp)\d*$/;

/**
 * Returns a subdomain in its stored form. Non-ASCII text stays unchanged and is refused later, so that it never silently
 * turns into ASCII.
 */
export function normalSubdomain(text: string): string {
  const trimmed = text.trim();
  return /^[A-Za-z0-9-]*$/.test(trimmed) ? trimmed.toLowerCase() : trimmed;
}

/** Returns the rule that a subdomain in lower case breaks; undefined if none. */
export function validateSubdomain(subdomain: string): BrokenRule | undefined {
  if (subdomain === '') return { code: 'blank' };
  if (subdomain.length > 63) return { code: 'too_long', params: { max: 63 } };
  if (!/^[a-z0-9-]+$/.test(subdomain)) return { code: 'not_a_subdomain' };
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) return { code: 'hyphen_at_end' };
  // Names that start with `xn--` are encoded internationalized names.
  const isReserved = subdomain.startsWith('xn--') || reserved.has(subdomain) || numberedServer.test(subdomain);
  return isReserved ? { code: 'reserved' } : undefined;
}

/**
 * Returns the subdomain whose site would be at the service's own host, if that host is directly below the domain of all
 * sites.
 */
export function ownSubdomain({ publicUrl, sitesDomain }: Addresses): string | undefined {
  const [host, domain] = [hostOf(publicUrl), hostOf(`http://${sitesDomain}`)];
  const label = host.slice(0, -domain.length - 1);
  return host === `${label}.${domain}` && !label.includes('.') ? label : undefined;
}

/** Returns the id of an account that has the service's own subdomain. That happens if the service moved to that host later. */
export async function findAccountAtOwnHost(db: Db, addresses: Addresses): Promise<number | undefined> {
  const own = ownSubdomain(addresses);
  if (own === undefined) return undefined;
  const [account] = await selectAccount(db, { subdomain: own });
  return account?.id;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** Returns why a new account cannot have the subdomain (in its stored form); undefined if it can. */
export async function findSubdomainProblem(
  db: Db | Trx,
  subdomain: string,
  addresses: Addresses,
): Promise<BrokenRule | undefined> {
  const problem = validateSubdomain(subdomain);
  if (problem) return problem;
  if (subdomain === ownSubdomain(addresses)) return { code: 'reserved' };
  return (await isSubdomainTaken(db, subdomain)) ? { code: 'taken' } : undefined;
}

/** Returns true if an account has the subdomain, or gave it up so recently that only that account may have it back. */
export async function isSubdomainTaken(db: Db | Trx, subdomain: string): Promise<boolean> {
  const holders = await selectHolders(db, { subdomain, since: Date.now() - RELEASE_PERIOD_MS });
  return holders.length > 0;
}

const selectHolders = prepared<{ subdomain: string; since: number }, { id: number }>((db, parameter) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('subdomain', '=', parameter('subdomain'))
    .unionAll(
      db
        .selectFrom('released_subdomains')
        .select('account_id as id')
        .where('subdomain', '=', parameter('subdomain'))
        .where('released_at', '>', parameter('since')),
    ),
);

/** Returns which of the subdomains an account has or gave up recently. Uses one query for all: pass a few hundred at most. */
export async function findTakenSubdomains(db: Db | Trx, subdomains: readonly string[]): Promise<Set<string>> {
  const since = Date.now() - RELEASE_PERIOD_MS;
  const rows = await selectTaken(db, { subdomains: JSON.stringify(subdomains), since });
  return new Set(rows.map(({ subdomain }) => subdomain));
}

const selectTaken = prepared<{ subdomains: string; since: number }, { subdomain: string }>((db, parameter) => {
  const rows = textRows(db, parameter('subdomains'));
  const isReleased = sql`released_subdomains.subdomain = listed.text
    and released_subdomains.released_at > ${parameter('since')}`;
  const taken = sql<{ subdomain: string }>`
    select accounts.subdomain from ${rows} ${lookupJoin(db, 'accounts', sql`accounts.subdomain = listed.text`)}
    union all
    select released_subdomains.subdomain from ${rows} ${lookupJoin(db, 'released_subdomains', isReleased)}`;
  return { compile: () => taken.compile(db) };
});

const selectAccount = prepared<{ subdomain: string }, { id: number }>((db, parameter) =>
  db.selectFrom('accounts').select('id').where('subdomain', '=', parameter('subdomain')),
);

/** Returns true if an account other than `accountId` gave up the subdomain less than 90 days ago. */
export async function isSubdomainHeld(db: Db | Trx, subdomain: string, accountId = 0): Promise<boolean> {
  return (await subdomainHeldUntil(db, subdomain, accountId)) !== undefined;
}

/**
 * Returns the time until which a subdomain stays reserved that an account other than `accountId` gave up, in milliseconds
 * since 1970; undefined if it is not reserved. Only for the operator: strangers are told that it is taken, and need not know
 * whose it was.
 */
export async function subdomainHeldUntil(db: Db | Trx, subdomain: string, accountId = 0): Promise<number | undefined> {
  const [held] = await selectHeld(db, { subdomain, accountId, since: Date.now() - RELEASE_PERIOD_MS });
  return held && held.released_at + RELEASE_PERIOD_MS;
}

const selectHeld = prepared<{ subdomain: string; accountId: number; since: number }, { released_at: number }>(
  (db, parameter) =>
    db
      .selectFrom('released_subdomains')
      .select('released_at')
      .where('subdomain', '=', parameter('subdomain'))
      .where('released_at', '>', parameter('since'))
      .where('account_id', '!=', parameter('accountId')),
);
