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
    host: textSchema('Host name, in ASCII.', 'www.example.com'),
    is_primary: {
      type: 'boolean',
      description: "Whether the site's other addresses redirect to this domain.",
      examples: [false],
    },
    verified_at: timeOrNull(
      'When the domain was verified, from which time it serves the site; null if it is not verified.',
    ),
    checked_at: timeOrNull('When the DNS records were last checked; null if never.'),
    problems: {
      type: 'array',
      items: { type: 'string' },
      description: 'Problems that the last check found.',
      examples: [['There is no TXT record at _website.www.example.com.']],
    },
    records: {
      type: 'array',
      items: ref('DnsRecord'),
      description: 'DNS records to create: they verify the domain and lead visitors to the site.',
    },
  }),
  DnsRecord: objectSchema({
    type: {
      ...textSchema('Record type. ALIAS is a type that some providers offer for the apex of a domain.', 'CNAME'),
      enum: ['TXT', 'CNAME', 'A', 'AAAA', 'ALIAS'],
    },
    name: textSchema('Full name of the record.', 'www.example.com'),
    value: textSchema('Value of the record.', 'acme-bakery.example.net'),
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
    'Adds a domain to the site of the account. The response lists the DNS records to create. The service checks for them at growing intervals, and serves the site at the domain once it finds them.',
  input,
  answers: [
    { status: 200, schema: 'DomainChanged', description: 'The domain was added.' },
    malformed,
    refused('The host name is not valid or has already been added, or the plan allows no more domains.', [
      ['host', 'has already been added'],
    ]),
  ],
  fingerprintName: 'add domain',
  answerOf: domainAnswer,
  prepare: async ({ fields: texts, keyOwner, ctx, dependencies: { config } }) => {
    const host = parseHost(texts.host ?? '', config);
    return changing(keyOwner, ctx, async (trx, by) => {
      const { id } = await addDomain(trx, keyOwner.accountId, host, by);
      return domainJson(await getDomain(trx, keyOwner.accountId, id, config));
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
      description: 'Whether to verify the domain even if it does not lead visitors to this service yet.',
      example: false,
    },
  },
};

export const verifyDomainOperation = changeOperation('POST /api/domains/{id}/verify.json', {
  ...shared,
  id: 'verifyDomain',
  summary: 'Verify a domain',
  description:
    'Checks the DNS records now. The response has the domain after the check: if records are missing, `verified_at` is null and `problems` says why.',
  input: verification,
  answers: [
    { status: 200, schema: 'DomainChanged', description: 'The DNS records were checked.' },
    malformed,
    noDomain,
  ],
  fingerprintName: 'verify domain',
  answerOf: domainAnswer,
  prepare: async ({ fields: texts, keyOwner, ctx, dependencies: { db, config }, id: text }) => {
    const { accountId } = keyOwner;
    const id = idInPath('domain', text);
    const { host } = await getDomain(db, accountId, id, config);
    const by = await inTransaction(db, (trx) => admitKey(trx, keyOwner, ctx.ip));
    const { sitesDomain, sitesAddresses, dnsServers } = config;
    const mayLeadElsewhere = /^(1|true|yes|on|t)$/i.test(texts.may_lead_elsewhere?.trim() ?? '');
    const commit = <T>(work: (trx: Trx) => Promise<T>, also: readonly number[] = []) =>
      inTransaction(db, async (trx) => {
        for (const other of also) if (other < accountId) await lockAccount(trx, other);
        await admitKey(trx, keyOwner, ctx.ip);
        return work(trx);
      });
    // `verifyDomain` queries the DNS outside a transaction, and then writes. Repeating it changes nothing.
    await verifyDomain(
      db,
      accountId,
      { host, sitesDomain, sitesAddresses, by, mayLeadElsewhere, commit },
      dnsOf(dnsServers),
    );
    return changing(keyOwner, ctx, async (trx) => domainJson(await getDomain(trx, accountId, id, config)));
  },
});

export const removeDomainOperation = changeOperation('DELETE /api/domains/{id}.json', {
  ...shared,
  id: 'removeDomain',
  summary: 'Remove a domain',
  description: 'Stops serving the site at the domain at once. The domain can be restored for 10 minutes.',
  answers: [{ status: 200, schema: 'Success', description: 'The domain was removed.' }, noDomain],
  fingerprintName: 'remove domain',
  prepare: async ({ keyOwner, ctx, dependencies: { config }, id: text }) => {
    const id = idInPath('domain', text);
    return changing(keyOwner, ctx, async (trx, by) => {
      const { host } = await getDomain(trx, keyOwner.accountId, id, config);
      await removeDomain(trx, keyOwner.accountId, host, by);
    });
  },
});

export const restoreDomainOperation = changeOperation('POST /api/domains/{id}/restore.json', {
  ...shared,
  id: 'restoreDomain',
  summary: 'Restore a removed domain',
  description: 'Undoes a removal of the last 10 minutes.',
  answers: [
    { status: 200, schema: 'Success', description: 'The domain was restored.' },
    missing('No domain with this id was removed.', 'The removed domain does not exist.'),
    refused(
      'The domain was removed more than 10 minutes ago, or another account uses it now.',
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
    Domain: schemas.Domain,
    DnsRecord: schemas.DnsRecord,
    DomainList: objectSchema({ domains: { type: 'array', items: ref('Domain'), description: 'Oldest first.' } }),
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db, config } }) => {
    const domains = await snapshot(db, (trx) => describeDomains(trx, accountId, config));
    return { domains: domains.map(domainJson) };
  }),
});

export const getDomainOperation = readOperation('GET /api/domains/{id}.json', {
  id: 'getDomain',
  tag: 'Domains',
  scope: 'domains:read',
  summary: 'Read a domain',
  description: 'One domain, with the DNS records to create and the problems that the last check found.',
  answers: [{ status: 200, schema: 'DomainAnswer', description: 'The domain.' }, noDomain],
  schemas: { DomainAnswer: objectSchema({ domain: ref('Domain') }) },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db, config }, id: text }) => {
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
