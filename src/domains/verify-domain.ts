import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { startedChecks } from './check-schedule.ts';
import type { Dns } from './dns.ts';
import { cnameRecord, type DomainRow, formerTxtRecord, getDomain, txtRecord } from './domain.ts';
import { type DomainNote, storedNotes } from './domain-note.ts';
import { findProof, type Proof } from './find-proof.ts';
import { siteHost } from './host-name.ts';
import { findWhereHostLeads } from './leads-here.ts';
import { type CheckResult, changeDomain, type RecordCheckInput, recordCheck } from './record-check.ts';

export interface VerifyDomainInput extends RecordCheckInput {
  /** The host as `parseHost` returns it. */
  host: string;
  /** `host[:port]` */
  sitesDomain: string;
  /** The addresses of the installation, if known. */
  sitesAddresses: readonly string[];
  /** The actor that the audit log names. */
  by: Actor;
  /**
   * True to verify a host that does not lead here, too. Visitors of the account's other hosts are then redirected to it at
   * once.
   */
  mayLeadElsewhere: boolean;
}

/**
 * Looks in the DNS for the proof that the account owns a host, and whether the host leads here. Returns the updated domain:
 * `verified_at` is set if it is verified, and `notesOf` tells the problems. A verified domain stays verified if its proof
 * is missing, since a DNS failure must not take a site down. Only one account can have a host. It moves only if its proof
 * is gone from the DNS and another account proves it with a TXT record. A CNAME is not enough for that, since it may be a
 * forgotten one.
 * @throws AppError `not_found` if the account has no such domain
 */
export async function verifyDomain(db: Db, accountId: number, input: VerifyDomainInput, dns: Dns): Promise<DomainRow> {
  const { host, sitesDomain, mayLeadElsewhere, commit } = input;
  const domain = await getDomain(db, accountId, host);
  const subdomain = await subdomainOf(db, accountId);
  const proof = await proofOf(domain, subdomain, sitesDomain, dns);
  const isVerified = domain.verified_at !== null;
  if (!proof.by && !isVerified) return recordCheck(input, domain, { notes: proof.found, leadsHere: undefined });

  const ownHost = `${subdomain}.${siteHost(sitesDomain)}`;
  const lead: CheckResult =
    proof.by === 'CNAME'
      ? { notes: [], leadsHere: true }
      : await findWhereHostLeads(dns, { host, ownHost, siteAddresses: input.sitesAddresses });
  const result = { ...lead, notes: [...proof.found, ...lead.notes] };
  if (isVerified || (lead.leadsHere === false && !mayLeadElsewhere)) return recordCheck(input, domain, result);

  const holder = await findHolder(db, host);
  const held = { ...lead, notes: heldElsewhere(proof) };
  if (holder && !(proof.by === 'TXT' && (await hasLost(db, holder, sitesDomain, dns)))) {
    return recordCheck(input, domain, held);
  }
  try {
    return await commit(
      (trx) => takeOver(trx, domain, holder, { ...lead, by: input.by }),
      holder && [holder.account_id],
    );
  } catch (error) {
    // Another account has verified the host in the meantime.
    if (violatedUniqueRule(error) === 'domains_verified_host') return recordCheck(input, domain, held);
    throw error;
  }
}

function proofOf(domain: DomainRow, subdomain: string, sitesDomain: string, dns: Dns): Promise<Proof> {
  const cname = cnameRecord(domain.host, subdomain, sitesDomain);
  return findProof(dns, { txt: txtRecord(domain), formerTxt: formerTxtRecord(domain), cname });
}

async function subdomainOf(db: Db, accountId: number): Promise<string> {
  const account = db.selectFrom('accounts').select('subdomain').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).subdomain;
}

/** Finds the verified domain with the host, of any account. */
function findHolder(db: Db, host: string): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('host', '=', host)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
}

async function hasLost(db: Db, holder: DomainRow, sitesDomain: string, dns: Dns): Promise<boolean> {
  const subdomain = await subdomainOf(db, holder.account_id);
  const { by, isCertain } = await proofOf(holder, subdomain, sitesDomain, dns);
  return by === undefined && isCertain;
}

/** Returns the note that another account has the host. It does not name the account. */
function heldElsewhere({ by }: Proof): DomainNote[] {
  return [{ code: by === 'TXT' ? 'held_with_proof' : 'held_until_txt' }];
}

/** The actor in the log of the account that loses the domain, which must not learn who took it. */
const anotherAccount: Actor = { userId: null, name: 'another account', ip: null };

async function takeOver(
  trx: Trx,
  domain: DomainRow,
  holder: DomainRow | undefined,
  { by, notes, leadsHere }: CheckResult & { by: Actor },
): Promise<DomainRow> {
  const now = Date.now();
  // Locks accounts in a fixed order, to prevent a deadlock of two accounts that take hosts from each other.
  const accounts = [domain, ...(holder ? [holder] : [])].map(({ account_id }) => account_id).sort((a, b) => a - b);
  for (const accountId of accounts) await raiseContentVersion(trx, accountId, now);
  if (holder) {
    const last_error = storedNotes([{ code: 'lost' }]);
    const lost = { verified_at: null, checked_at: now, last_error, next_check_at: null, leads_here: null };
    await changeDomain(trx, holder, lost);
    const event = { action: 'domain.lost', subject: `domain_${holder.id}`, details: { host: holder.host } };
    await recordAuditEvent(trx, holder.account_id, anotherAccount, event);
  }
  const leads_here = leadsHere ? 1 : null;
  const last_error = notes.length === 0 ? null : storedNotes(notes);
  await changeDomain(trx, domain, { ...startedChecks(now), verified_at: now, checked_at: now, last_error, leads_here });
  const event = { action: 'domain.verified', subject: `domain_${domain.id}`, details: { host: domain.host } };
  await recordAuditEvent(trx, domain.account_id, by, event);
  return getDomain(trx, domain.account_id, domain.host);
}
