import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import type { Dns } from './dns.ts';
import { cnameRecord, type DomainRow, getDomain, txtRecord } from './domain.ts';
import { type DomainNote, storedNotes } from './domain-note.ts';
import { findProof, type Proof } from './find-proof.ts';

export interface VerifyDomainInput {
  /** The host as `parseHost` returns it. */
  host: string;
  /** `host[:port]` */
  sitesDomain: string;
  /** The actor that the audit log names. */
  by: Actor;
  /**
   * Runs the work in one transaction, where it is still allowed: asking the DNS can take half a minute. It may lock this
   * account first if it locks the `also` with lower ids before.
   */
  commit: Commit;
}

type Commit = (work: (trx: Trx) => Promise<DomainRow>, also?: readonly number[]) => Promise<DomainRow>;

/**
 * Looks in the DNS for the proof that a host is the account's, and returns the domain as it is then: verified when
 * `verified_at` is set; `notesOf` says what is wrong, if anything is. What is verified stays so when its proof cannot
 * be found any more, for a DNS that is out of order must not take a site down.
 * Of all accounts one can have a host. Whoever has it keeps it until their proof is gone from the DNS and another
 * account proves it with a TXT record; a CNAME is no such proof, since it may be a forgotten one.
 * @throws AppError `not_found` when the account has no such domain.
 */
export async function verifyDomain(
  db: Db,
  accountId: number,
  { host, sitesDomain, by, commit }: VerifyDomainInput,
  dns: Dns,
): Promise<DomainRow> {
  const domain = await getDomain(db, accountId, host);
  const proof = await proofOf(db, domain, sitesDomain, dns);
  if (!proof.by) return recordCheck(commit, domain, proof.found);
  if (domain.verified_at !== null) return recordCheck(commit, domain, []);

  const holder = await findHolder(db, host);
  if (holder && !(proof.by === 'TXT' && (await hasLost(db, holder, sitesDomain, dns)))) {
    return recordCheck(commit, domain, heldElsewhere(proof));
  }
  try {
    return await commit((trx) => takeOver(trx, domain, holder, by), holder && [holder.account_id]);
  } catch (error) {
    // Another account has proved it in the meantime.
    if (violatedUniqueRule(error) === 'domains_verified_host') return recordCheck(commit, domain, heldElsewhere(proof));
    throw error;
  }
}

async function proofOf(db: Db, domain: DomainRow, sitesDomain: string, dns: Dns): Promise<Proof> {
  const { subdomain } = await db
    .selectFrom('accounts')
    .select('subdomain')
    .where('id', '=', domain.account_id)
    .executeTakeFirstOrThrow();
  return findProof(dns, { txt: txtRecord(domain), cname: cnameRecord(domain.host, subdomain, sitesDomain) });
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

async function takeOver(trx: Trx, domain: DomainRow, holder: DomainRow | undefined, by: Actor): Promise<DomainRow> {
  const now = Date.now();
  // In one order for everybody, so that two who take from each other do not wait for each other.
  const accounts = [domain, ...(holder ? [holder] : [])].map(({ account_id }) => account_id).sort((a, b) => a - b);
  for (const accountId of accounts) await raiseContentVersion(trx, accountId, now);
  if (holder) {
    const last_error = storedNotes([{ code: 'lost' }]);
    await change(trx, holder, { verified_at: null, checked_at: now, last_error });
    const event = { action: 'domain.lost', subject: `domain_${holder.id}`, details: { host: holder.host } };
    await recordAuditEvent(trx, holder.account_id, anotherAccount, event);
  }
  await change(trx, domain, { verified_at: now, checked_at: now, last_error: null });
  const event = { action: 'domain.verified', subject: `domain_${domain.id}`, details: { host: domain.host } };
  await recordAuditEvent(trx, domain.account_id, by, event);
  return getDomain(trx, domain.account_id, domain.host);
}

/** Says how a check ended. Visitors see nothing of it, so the site's version stays. */
function recordCheck(commit: Commit, domain: DomainRow, notes: DomainNote[]): Promise<DomainRow> {
  const last_error = notes.length === 0 ? null : storedNotes(notes);
  return commit(async (trx) => {
    await change(trx, domain, { checked_at: Date.now(), last_error });
    return getDomain(trx, domain.account_id, domain.host);
  });
}

async function change(
  trx: Trx,
  { account_id, id }: DomainRow,
  values: { verified_at?: number | null; checked_at: number; last_error: string | null },
): Promise<void> {
  await trx.updateTable('domains').set(values).where('account_id', '=', account_id).where('id', '=', id).execute();
}
