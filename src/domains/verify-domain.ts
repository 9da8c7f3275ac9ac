import type { Updateable } from 'kysely';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import type { DomainsTable } from '../db/schema.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { startedChecks, stateAfterCheck } from './check-schedule.ts';
import type { Dns } from './dns.ts';
import { cnameRecord, type DomainRow, getDomain, txtRecord } from './domain.ts';
import { type DomainNote, storedNotes } from './domain-note.ts';
import { findProof, type Proof } from './find-proof.ts';
import { siteHost } from './host-name.ts';
import { findWhereHostLeads } from './leads-here.ts';

export interface VerifyDomainInput {
  /** The host as `parseHost` returns it. */
  host: string;
  /** `host[:port]` */
  sitesDomain: string;
  /** The addresses of the installation, if they are known. */
  sitesAddresses: readonly string[];
  /** The actor that the audit log names. */
  by: Actor;
  /** Whether a host that does not lead here is verified too: visitors of the account's other hosts are sent to it at once. */
  mayLeadElsewhere: boolean;
  /**
   * Runs the work in one transaction, where it is still allowed: asking the DNS can take half a minute. It may lock this
   * account first if it locks the `also` with lower ids before.
   */
  commit: Commit;
  /** Given for a check of the service: is called in the transaction in which an outage begins. */
  onOutage?: (trx: Trx, domain: DomainRow, found: readonly string[]) => Promise<void>;
}

type Commit = (work: (trx: Trx) => Promise<DomainRow>, also?: readonly number[]) => Promise<DomainRow>;

/**
 * Looks in the DNS for the proof that a host is the account's and whether it leads here, and returns the domain as it is then:
 * verified when `verified_at` is set; `notesOf` says what is wrong, if anything is. What is verified stays so when its proof
 * cannot be found any more, for a DNS that is out of order must not take a site down.
 * Of all accounts one can have a host. Whoever has it keeps it until their proof is gone from the DNS and another
 * account proves it with a TXT record; a CNAME is no such proof, since it may be a forgotten one.
 * @throws AppError `not_found` when the account has no such domain.
 */
export async function verifyDomain(db: Db, accountId: number, input: VerifyDomainInput, dns: Dns): Promise<DomainRow> {
  const { host, sitesDomain, by, mayLeadElsewhere, commit } = input;
  const domain = await getDomain(db, accountId, host);
  const proof = await proofOf(db, domain, sitesDomain, dns);
  const isVerified = domain.verified_at !== null;
  const leads = proof.by === 'CNAME' || (!proof.by && !isVerified) || (await whereItLeads(db, domain, input, dns));
  const isElsewhere = typeof leads === 'object';
  const note = isElsewhere ? [leads] : [];
  if (!proof.by)
    return recordCheck(input, domain, { notes: [...proof.found, ...note], leads: isVerified ? leads : false });
  if (isVerified) return recordCheck(input, domain, { notes: note, leads });
  if (isElsewhere && !mayLeadElsewhere) return recordCheck(input, domain, { notes: note, leads });

  const holder = await findHolder(db, host);
  const held = { notes: heldElsewhere(proof), leads };
  if (holder && !(proof.by === 'TXT' && (await hasLost(db, holder, sitesDomain, dns)))) {
    return recordCheck(input, domain, held);
  }
  try {
    return await commit((trx) => takeOver(trx, domain, { holder, by, leads }), holder && [holder.account_id]);
  } catch (error) {
    // Another account has proved it in the meantime.
    if (violatedUniqueRule(error) === 'domains_verified_host') return recordCheck(input, domain, held);
    throw error;
  }
}

/** The result of `findWhereHostLeads`; false where nobody needs it. */
type Leads = Awaited<ReturnType<typeof findWhereHostLeads>> | false;

async function whereItLeads(
  db: Db,
  { account_id: accountId, host }: DomainRow,
  { sitesDomain, sitesAddresses }: VerifyDomainInput,
  dns: Dns,
): Promise<Leads> {
  const ownHost = `${await subdomainOf(db, accountId)}.${siteHost(sitesDomain)}`;
  return findWhereHostLeads(dns, { host, ownHost, siteAddresses: sitesAddresses });
}

async function proofOf(db: Db, domain: DomainRow, sitesDomain: string, dns: Dns): Promise<Proof> {
  const subdomain = await subdomainOf(db, domain.account_id);
  return findProof(dns, { txt: txtRecord(domain), cname: cnameRecord(domain.host, subdomain, sitesDomain) });
}

async function subdomainOf(db: Db, accountId: number): Promise<string> {
  const account = db.selectFrom('accounts').select('subdomain').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).subdomain;
}

/** The domain of whichever account has the host. */
function findHolder(db: Db, host: string): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('host', '=', host)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
}

async function hasLost(db: Db, holder: DomainRow, sitesDomain: string, dns: Dns): Promise<boolean> {
  const { by, isCertain } = await proofOf(db, holder, sitesDomain, dns);
  return by === undefined && isCertain;
}

/** Which account that is, is nobody else's business. */
function heldElsewhere({ by }: Proof): DomainNote[] {
  return [{ code: by === 'TXT' ? 'held_with_proof' : 'held_until_txt' }];
}

/** Nobody of the account that loses the domain did it, and who did is not its business. */
const anotherAccount: Actor = { userId: null, name: 'another account', ip: null };

async function takeOver(
  trx: Trx,
  domain: DomainRow,
  { holder, by, leads }: { holder: DomainRow | undefined; by: Actor; leads: Leads },
): Promise<DomainRow> {
  const now = Date.now();
  // In one order for everybody, so that two who take from each other do not wait for each other.
  const accounts = [domain, ...(holder ? [holder] : [])].map(({ account_id }) => account_id).sort((a, b) => a - b);
  for (const accountId of accounts) await raiseContentVersion(trx, accountId, now);
  if (holder) {
    const last_error = storedNotes([{ code: 'lost' }]);
    const lost = { verified_at: null, checked_at: now, last_error, next_check_at: null, leads_here: null };
    await changeDomain(trx, holder, lost);
    const event = { action: 'domain.lost', subject: `domain_${holder.id}`, details: { host: holder.host } };
    await recordAuditEvent(trx, holder.account_id, anotherAccount, event);
  }
  const leads_here = leads === true ? 1 : null;
  const last_error = typeof leads === 'object' ? storedNotes([leads]) : null;
  await changeDomain(trx, domain, { ...startedChecks(now), verified_at: now, checked_at: now, last_error, leads_here });
  const event = { action: 'domain.verified', subject: `domain_${domain.id}`, details: { host: domain.host } };
  await recordAuditEvent(trx, domain.account_id, by, event);
  return getDomain(trx, domain.account_id, domain.host);
}

/** Says how a check ended. Visitors see nothing of it, so the site's version stays. */
function recordCheck(
  { commit, onOutage }: VerifyDomainInput,
  domain: DomainRow,
  { notes, leads }: { notes: DomainNote[]; leads: Leads },
): Promise<DomainRow> {
  return commit(async (trx) => {
    const now = Date.now();
    const last_error = notes.length === 0 ? null : storedNotes(notes);
    await changeDomain(trx, domain, { checked_at: now, last_error, ...stateOf(domain, leads, now, onOutage) });
    const changed = await getDomain(trx, domain.account_id, domain.host);
    const found = typeof leads === 'object' && leads.code === 'leads_elsewhere' ? leads.found : [];
    if (onOutage && domain.leads_here === 1 && changed.leads_here === 0) await onOutage(trx, changed, found);
    return changed;
  });
}

/** A person's check counts for no outage, but has the service look again soon: something may just have been changed. */
function stateOf(domain: DomainRow, leads: Leads, now: number, isOfService: unknown) {
  const doesLead = leads === true ? true : leads === undefined ? undefined : false;
  if (isOfService) return stateAfterCheck(domain, doesLead, now);
  if (domain.verified_at !== null && doesLead) return { leads_here: 1 as const, failed_checks: 0 };
  return domain.verified_at === null ? startedChecks(now) : {};
}

async function changeDomain(trx: Trx, { account_id, id }: DomainRow, values: Updateable<DomainsTable>): Promise<void> {
  await trx.updateTable('domains').set(values).where('account_id', '=', account_id).where('id', '=', id).execute();
}
