import { admitKey } from '../../api-keys/admit-key.ts';
import type { Config } from '../../config.ts';
import { type Db, inTransaction, type Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { addDomain } from '../../domains/add-domain.ts';
import { type DescribedDomain, describeDomains } from '../../domains/describe-domains.ts';
import { dnsOf } from '../../domains/dns.ts';
import { noteInEnglish } from '../../domains/domain-note-in-english.ts';
import { parseHost } from '../../domains/host-name.ts';
import { removeDomain } from '../../domains/remove-domain.ts';
import { restoreDomain } from '../../domains/restore-domain.ts';
import { verifyDomain } from '../../domains/verify-domain.ts';
import { notFound } from '../../errors.ts';
import { lockAccount } from '../../tenancy/lock-account.ts';
import { malformed, missing, refused } from './answers.ts';
import { changing, changingById } from './changing.ts';
import { idInPath } from './ids.ts';
import { idSchema, objectSchema, ref, successWith, textSchema, timeOrNull } from './json-schema.ts';
import { changeOperation, type ObjectSchema, readOperation, textField } from './operation.ts';
import { reading } from './reading.ts';
import { isoTime } from './times.ts';

const noDomain = missing('The account has no domain with this id.', 'The domain does not exist.');

const schemas = {
  DomainChanged: successWith({
    domain: ref('Domain'),
  }),
  Domain: objectSchema({
    id: idSchema('domain', 'Identifier of the domain.'),
    host: textSchema('Its host name, in ASCII.', 'www.example.com'),
    is_primary: {
      type: 'boolean',
      description: "Whether visitors of the site's other addresses are sent to it.",
      examples: [false],
    },
    verified_at: timeOrNull('Since when the site is at it; null while its proof is missing.'),
    checked_at: timeOrNull('When the DNS was asked last; null if it was not.'),
    problems: {
      type: 'array',
      items: { type: 'string' },
      description: 'What the last check found wrong, in sentences.',
      examples: [['There is no TXT record at _website.www.example.com.']],
    },
    records: {
      type: 'array',
      items: ref('DnsRecord'),
      description: 'The DNS records that prove it and lead visitors to the site.',
    },
  }),
  DnsRecord: objectSchema({
    type: {
      ...textSchema('ALIAS stands for what some providers have at the top of a domain.', 'CNAME'),
      enum: ['TXT', 'CNAME', 'A', 'AAAA', 'ALIAS'],
    },
    name: textSchema('Its full name.', 'www.example.com'),
    value: textSchema('Its value.', 'acme-bakery.example.net'),
  }),
} as const;

const shared = {
  tag: 'Domains',
  scope: 'domains:write',
  schemas,
} as const;

const input: ObjectSchema<'host'> = {
  object: 'domain',
  name: 'NewDomain',
  fields: {
    host: textField('The host name.', 'www.example.com', { required: true }),
  },
};

const domainAnswer = (domain: unknown) => ({ domain });

export const addDomainOperation = changeOperation('POST /api/domains.json', {
  ...shared,
  id: 'addDomain',
  summary: 'Add a domain',
  description:
    'Claims a domain for the site of the account. The answer says which DNS records to make. The service looks for them by itself, ever more rarely, and the site is at the domain once they are there.',
  input,
  answers: [
    { status: 200, schema: 'DomainChanged', description: 'The domain is added.' },
    malformed,
    refused('It is no host name, or there already, or the plan has no room for it.', [
      ['host', 'has already been added'],
    ]),
  ],
  fingerprintName: 'add domain',
  answerOf: domainAnswer,
  prepare: async ({ fields: texts, caller, ctx, dependencies: { config } }) => {
    const host = parseHost(texts.host ?? '', config);
    return changing(caller, ctx, async (trx, by) => {
      const { id } = await addDomain(trx, caller.accountId, host, by);
      return domainJson(await getDomain(trx, caller.accountId, id, config));
    });
  },
});

const verification: ObjectSchema<'may_lead_elsewhere'> = {
  object: 'domain',
  name: 'DomainVerification',
  isOptional: true,
  fields: {
    may_lead_elsewhere: {
      type: 'boolean',
      accepts: ['string', 'boolean', 1],
      description: 'Whether it is verified even if its visitors do not come here yet.',
      example: false,
    },
  },
};

export const verifyDomainOperation = changeOperation('POST /api/domains/{id}/verify.json', {
  ...shared,
  id: 'verifyDomain',
  summary: 'Verify a domain',
  description:
    'Asks the DNS for the records now. The answer has the domain as it is then: `verified_at` is null, and `problems` says why, if they were not found.',
  input: verification,
  answers: [{ status: 200, schema: 'DomainChanged', description: 'The DNS was asked.' }, malformed, noDomain],
  fingerprintName: 'verify domain',
  answerOf: domainAnswer,
  prepare: async ({ fields: texts, caller, ctx, dependencies: { db, config }, id: text }) => {
    const { accountId } = caller;
    const id = idInPath('domain', text);
    const { host } = await getDomain(db, accountId, id, config);
    const by = await inTransaction(db, (trx) => admitKey(trx, caller, ctx.ip));
    const { sitesDomain, sitesAddresses, dnsServers } = config;
    const mayLeadElsewhere = /^(1|true|yes|on|t)$/i.test(texts.may_lead_elsewhere?.trim() ?? '');
    const commit = <T>(work: (trx: Trx) => Promise<T>, also: readonly number[] = []) =>
      inTransaction(db, async (trx) => {
        for (const other of also) if (other < accountId) await lockAccount(trx, other);
        await admitKey(trx, caller, ctx.ip);
        return work(trx);
      });
    // `verifyDomain` queries the DNS outside a transaction, and then writes. Repeating it changes nothing.
    await verifyDomain(
      db,
      accountId,
      { host, sitesDomain, sitesAddresses, by, mayLeadElsewhere, commit },
      dnsOf(dnsServers),
    );
    return changing(caller, ctx, async (trx) => domainJson(await getDomain(trx, accountId, id, config)));
  },
});

export const removeDomainOperation = changeOperation('DELETE /api/domains/{id}.json', {
  ...shared,
  id: 'removeDomain',
  summary: 'Remove a domain',
  description: 'Takes the site from the domain at once. It can be restored for 10 minutes.',
  answers: [{ status: 200, schema: 'Success', description: 'The domain is removed.' }, noDomain],
  fingerprintName: 'remove domain',
  prepare: async ({ caller, ctx, dependencies: { config }, id: text }) => {
    const id = idInPath('domain', text);
    return changing(caller, ctx, async (trx, by) => {
      const { host } = await getDomain(trx, caller.accountId, id, config);
      await removeDomain(trx, caller.accountId, host, by);
    });
  },
});

export const restoreDomainOperation = changeOperation('POST /api/domains/{id}/restore.json', {
  ...shared,
  id: 'restoreDomain',
  summary: 'Restore a removed domain',
  description: 'Undoes a removal of the last 10 minutes: the domain is as it was before.',
  answers: [
    { status: 200, schema: 'Success', description: 'The domain is back.' },
    missing('No domain with this id was removed.', 'What was removed does not exist.'),
    refused(
      'It was removed too long ago, or somebody has the domain by now.',
      'This was removed more than 10 minutes ago.',
    ),
  ],
  fingerprintName: 'restore domain',
  prepare: changingById('domain', restoreDomain),
});

export const listDomainsOperation = readOperation('GET /api/domains.json', {
  id: 'listDomains',
  tag: 'Domains',
  scope: 'domains:read',
  summary: 'List domains',
  description: "All domains of the account's site, in the order in which they were added.",
  answers: [{ status: 200, schema: 'DomainList', description: 'The domains.' }],
  schemas: {
    ...{ Domain: schemas.Domain, DnsRecord: schemas.DnsRecord },
    DomainList: objectSchema({ domains: { type: 'array', items: ref('Domain'), description: 'In their order.' } }),
  },
  handler: reading(async ({ caller: { accountId }, dependencies: { db, config } }) => {
    const domains = await snapshot(db, (trx) => describeDomains(trx, accountId, config));
    return { domains: domains.map(domainJson) };
  }),
});

export const getDomainOperation = readOperation('GET /api/domains/{id}.json', {
  id: 'getDomain',
  tag: 'Domains',
  scope: 'domains:read',
  summary: 'Read a domain',
  description: 'One domain, with the DNS records to make and what is wrong with them.',
  answers: [{ status: 200, schema: 'DomainAnswer', description: 'The domain.' }, noDomain],
  schemas: { DomainAnswer: objectSchema({ domain: ref('Domain') }) },
  handler: reading(async ({ caller: { accountId }, dependencies: { db, config }, id: text }) => {
    const id = idInPath('domain', text);
    const domain = await snapshot(db, (trx) => getDomain(trx, accountId, id, config));
    return { domain: domainJson(domain) };
  }),
});

async function getDomain(db: Db | Trx, accountId: number, id: number, config: Config): Promise<DescribedDomain> {
  const domain = (await describeDomains(db, accountId, config)).find((one) => one.id === id);
  if (!domain) throw notFound('The domain');
  return domain;
}

function domainJson({ id, host, isPrimary, verified_at, checked_at, notes, records }: DescribedDomain) {
  return {
    id: `domain_${id}`,
    host,
    is_primary: isPrimary,
    verified_at: isoTime(verified_at),
    checked_at: isoTime(checked_at),
    problems: notes.map(noteInEnglish),
    records: records.map(({ type, name, value }) => ({ type, name, value })),
  };
}
