import { domainToUnicode } from 'node:url';
import { operator } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import { addDomain } from '../domains/add-domain.ts';
import { changeDomainUse } from '../domains/change-domain-use.ts';
import { dnsOf } from '../domains/dns.ts';
import { type DnsRecord, type DomainRow, getDomain, recordsOf } from '../domains/domain.ts';
import { lastError } from '../domains/domain-note-in-english.ts';
import { normalHost, parseHost } from '../domains/host-name.ts';
import { listDomains } from '../domains/list-domains.ts';
import { removeDomain } from '../domains/remove-domain.ts';
import { verifyDomain } from '../domains/verify-domain.ts';
import { accountOption, command, commandOfAccount, type Group, UsageError } from './command.ts';
import { findAccount } from './find-account.ts';
import { columns, printable, table, time } from './output.ts';

const list = commandOfAccount({
  about: 'Lists the domains of an account.',
  details: 'The first verified domain is the primary one: the others and the subdomain redirect to it.',
  example: '--account acme',
  async run({ config, db, account: { id, subdomain } }) {
    const domains = await listDomains(db, id);
    return {
      text: table(
        ['HOST', 'STATUS', 'VERIFIED', 'CHECKED', 'LAST CHECK'],
        domains.map(({ isPrimary, ...domain }) => [
          displayHost(domain.host),
          isPrimary ? 'primary' : domain.is_app === 1 ? `${statusOf(domain)}, app` : statusOf(domain),
          time(domain.verified_at) ?? '-',
          time(domain.checked_at) ?? '-',
          lastError(domain) ?? (domain.checked_at === null ? '-' : 'in order'),
        ]),
        'The account has no domains.',
      ),
      json: {
        domains: domains.map(({ isPrimary, ...domain }) => ({
          ...domainJson(domain, subdomain, config),
          is_primary: isPrimary,
        })),
      },
    };
  },
});

const add = command({
  about: 'Adds a domain to an account, and prints the DNS records to create.',
  details:
    'The domain works once domain verify has found one of them. Several accounts can claim a domain, but only one can own it.',
  positionals: ['HOST'],
  options: { account: accountOption },
  example: 'www.example.com --account acme',
  async run({ config, db, positionals, values }) {
    const host = parseHost(positionals[0]!, config);
    const { domain, subdomain } = await db.transaction().execute(async (trx) => {
      const account = await findAccount(trx, values.account);
      const domain = await addDomain(trx, account.id, host, operator);
      return { domain, subdomain: account.subdomain };
    });
    return {
      text: `Added ${displayHost(host)} to "${subdomain}".\n\n${toMake(recordsOf(domain, subdomain, config), host)}`,
      json: { domain: domainJson(domain, subdomain, config) },
    };
  },
});

const verify = command({
  about: 'Checks the DNS for proof that a domain belongs to the account.',
  details:
    'A verified domain stays verified if its records are gone, but the command says so, and exits with 1.\n' +
    "Asks the servers in DNS_SERVERS, or the system's.",
  positionals: ['HOST'],
  options: { account: accountOption },
  example: 'www.example.com --account acme',
  async run({ config, db, positionals, values }) {
    const host = parseHost(positionals[0]!, config);
    const { id, subdomain } = await findAccount(db, values.account);
    const { sitesDomain, sitesAddresses, dnsServers } = config;
    const domain = await verifyDomain(
      db,
      id,
      {
        host,
        sitesDomain,
        sitesAddresses,
        by: operator,
        mayLeadElsewhere: true,
        commit: (work) => db.transaction().execute(work),
      },
      dnsOf(dnsServers),
    );
    const { verified_at } = domain;
    const error = lastError(domain);
    const lines = [
      ...(error === null ? [] : [printable(error)]),
      verified_at === null
        ? `${displayHost(host)} is not verified.`
        : `${displayHost(host)} is verified for "${subdomain}".`,
    ];
    return {
      text: lines.join('\n'),
      json: { domain: domainJson(domain, subdomain, config) },
      exitCode: error === null ? 0 : 1,
    };
  },
});

const remove = commandOfAccount({
  about: 'Removes a domain from an account.',
  positionals: ['HOST'],
  example: 'www.example.com --account acme',
  async run({ db, account: { id, subdomain }, positionals }) {
    const host = normalHost(positionals[0]!);
    await db.transaction().execute((trx) => removeDomain(trx, id, host, operator));
    return { text: `Removed ${displayHost(host)} from "${subdomain}".`, json: { domain: { host, status: 'removed' } } };
  },
});

const use = command({
  about: "Sets what a domain shows: the account's site, or the admin app of its customers.",
  details: 'An account can have one domain for the app, and needs a brand for that. Links in messages then lead there.',
  positionals: ['HOST'],
  options: {
    account: accountOption,
    for: { type: 'string', value: 'USE', about: 'app or site.', required: true },
  },
  example: 'app.example.com --account acme --for app',
  async run({ config, db, positionals, values }) {
    const host = normalHost(positionals[0]!);
    const isApp = values.for === 'app';
    if (!isApp && values.for !== 'site') throw new UsageError('--for must be app or site.');
    const { domain, subdomain } = await db.transaction().execute(async (trx) => {
      const account = await findAccount(trx, values.account);
      const { id } = await getDomain(trx, account.id, host);
      await changeDomainUse(trx, account.id, { id, isApp }, operator);
      return { domain: await getDomain(trx, account.id, host), subdomain: account.subdomain };
    });
    const what = isApp ? `the app of the customers of "${subdomain}"` : `the site of "${subdomain}"`;
    const wait = domain.verified_at === null ? ', once it is verified' : '';
    return { text: `${displayHost(host)} is ${what}${wait}.`, json: { domain: domainJson(domain, subdomain, config) } };
  },
});

export const domainCommands: Group = {
  about: "Domains: accounts' own host names.",
  commands: { list, add, verify, use, remove },
};

function domainJson(domain: DomainRow, subdomain: string, config: Config) {
  return {
    host: domain.host,
    status: statusOf(domain),
    verified_at: time(domain.verified_at),
    checked_at: time(domain.checked_at),
    last_error: lastError(domain),
    created_at: time(domain.created_at),
    is_app: domain.is_app === 1,
    records: recordsOf(domain, subdomain, config),
  };
}

function statusOf({ verified_at }: DomainRow): 'verified' | 'added' {
  return verified_at === null ? 'added' : 'verified';
}

function toMake(records: readonly DnsRecord[], host: string): string {
  return [
    'Create these records in the DNS as described below. The service finds them by itself; domain verify looks at once:',
    columns([['TYPE', 'NAME', 'VALUE'], ...records.map(({ type, name, value }) => [type, name, value])]),
    records.some(({ type }) => type === 'ALIAS')
      ? `TXT proves that ${host} belongs to the account. The top of a domain cannot have a CNAME: to lead visitors here, create\n` +
        'A and AAAA with the addresses of this installation, or ALIAS (some providers call it ANAME), if your provider has it.'
      : `TXT proves that ${host} belongs to the account. CNAME proves it too, and leads visitors here.`,
  ].join('\n\n');
}

/** Returns the host; an internationalized name in both of its forms. */
function displayHost(host: string): string {
  const unicode = printable(domainToUnicode(host));
  return unicode === host || unicode === '' ? host : `${host} (${unicode})`;
}
