import { domainToUnicode } from 'node:url';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { addDomain } from '../../domains/add-domain.ts';
import { changeDomainUse } from '../../domains/change-domain-use.ts';
import { describeDomains } from '../../domains/describe-domains.ts';
import { dnsOf } from '../../domains/dns.ts';
import { parseHost } from '../../domains/host-name.ts';
import { type ListedDomain, listDomains } from '../../domains/list-domains.ts';
import { removeDomain } from '../../domains/remove-domain.ts';
import { restoreDomain } from '../../domains/restore-domain.ts';
import { verifyDomain } from '../../domains/verify-domain.ts';
import { nameInZone, zoneOf } from '../../domains/zone.ts';
import { notFound } from '../../errors.ts';
import { changeById } from './change-by-id.ts';
import { addDomainInput, domainUseInput, verifyDomainInput } from './contract/settings.ts';
import type { DomainJson, DomainUseJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the account's own domains. */
export function domainRoutes({ db, config }: RouteDependencies): AdminRoute[] {
  const dns = dnsOf(config.dnsServers);
  return [
    route('GET /admin/domains', {
      needs: 'update_settings',
      handle: async ({ sessionOwner }) =>
        jsonResponse(200, { domains: await read(db, sessionOwner.accountId, config) }),
    }),
    route('POST /admin/domains', {
      needs: 'update_settings',
      body: addDomainInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        const host = parseHost(body.host, config);
        const { id } = await change((trx) => addDomain(trx, accountId, host, actor));
        return jsonResponse(201, await readOne(db, accountId, id, config));
      },
    }),
    route('POST /admin/domains/:id/verify', {
      needs: 'update_settings',
      body: verifyDomainInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { mayLeadElsewhere }, change }) => {
        const { host } = await find(db, accountId, id);
        const { sitesDomain, sitesAddresses } = config;
        const input = { host, sitesDomain, sitesAddresses, by: actor, mayLeadElsewhere, commit: change };
        // The verb queries the DNS before it begins a transaction.
        await verifyDomain(db, accountId, input, dns);
        return jsonResponse(200, await readOne(db, accountId, id, config));
      },
    }),
    route('POST /admin/domains/:id/use', {
      needs: 'manage_brand',
      body: domainUseInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { isApp }, change }) => {
        const before = await change((trx) => changeDomainUse(trx, accountId, { id, isApp }, actor));
        return jsonResponse(200, { before: before ?? null } satisfies DomainUseJson);
      },
    }),
    route('DELETE /admin/domains/:id', {
      needs: 'update_settings',
      handle: async ({ id, sessionOwner: { accountId }, actor, change }) => {
        const { host } = await find(db, accountId, id);
        await change((trx) => removeDomain(trx, accountId, host, actor));
        return emptyResponse();
      },
    }),
    route('POST /admin/domains/:id/restore', {
      needs: 'update_settings',
      handle: changeById(restoreDomain),
    }),
  ];
}

async function read(db: Db, accountId: number, config: Config): Promise<DomainJson[]> {
  const domains = await describeDomains(db, accountId, config);
  return domains.map((domain) => ({
    id: domain.id,
    host: domain.host,
    shownHost: domainToUnicode(domain.host) || domain.host,
    isPrimary: domain.isPrimary,
    isApp: domain.is_app === 1,
    verifiedAt: domain.verified_at,
    checkedAt: domain.checked_at,
    notes: domain.notes,
    isChecked: domain.next_check_at !== null,
    records: domain.records.map((record) => ({ ...record, nameInZone: nameInZone(record.name, zoneOf(domain.host)) })),
  }));
}

async function readOne(db: Db, accountId: number, id: number, config: Config): Promise<DomainJson> {
  const domain = (await read(db, accountId, config)).find((one) => one.id === id);
  if (!domain) throw notFound('The domain');
  return domain;
}

async function find(db: Db, accountId: number, id: number): Promise<ListedDomain> {
  const domain = (await listDomains(db, accountId)).find((one) => one.id === id);
  if (!domain) throw notFound('The domain');
  return domain;
}
