import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

/** What acts through the API: somebody's program. */
export interface ApiClient {
  /** The key that it has. */
  keyId: number;
  /** Where it is. */
  ip: string;
}

/** The same, done to one thing or to several that came together. */
export interface ApiAuditEvents extends ApiClient {
  /** Whose key it is. */
  userId: number;
  /** As in `AuditEvent`. */
  action: string;
  /** What it was done to, each with its name: `['page_12', 'News']`. */
  subjects: ReadonlyArray<readonly [subject: string, name: string]>;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Notes in the account's log what a program did, an entry for each thing, in the transaction of the change and in one
 * statement that is prepared: there can be thousands in a second.
 */
export async function recordApiAuditEvents(
  trx: Trx,
  accountId: number,
  { subjects, ...rest }: ApiAuditEvents,
): Promise<void> {
  // Not by way of an object: keys that are never seen again take it longer than all the rest.
  const names = subjects.map((thing) => thing.map((text) => JSON.stringify(text)).join(':')).join(',');
  await insert(trx, { ...rest, accountId, names: `{${names}}` });
}

type Column = 'accountId' | 'userId' | 'keyId' | 'ip' | 'action' | 'subject' | 'name' | 'at';

/**
 * The statement that records an event for each of the rows that `from` names. On PostgreSQL it can be a part of the one that
 * does them: then events take no round trip of their own.
 */
export function insertAuditEvents(
  db: Db,
  event: Readonly<Record<Column, Expression<unknown>>>,
  from: RawBuilder<unknown>,
): RawBuilder<never> {
  const details =
    dialectOf(db) === 'sqlite'
      ? sql`json_object('name', ${event.name})`
      : sql`json_build_object('name', ${event.name}::text)::text`;
  return sql`
    insert into audit_log (account_id, user_id, api_key_id, actor, action, subject, ip, at, details)
    select
      ${event.accountId}, ${event.userId}, ${event.keyId},
      (select name from users where users.account_id = ${event.accountId} and users.id = ${event.userId}),
      ${event.action}, ${event.subject}, ${event.ip}, ${event.at}, ${details}
    ${from}`;
}

const insert = prepared<Omit<ApiAuditEvents, 'subjects'> & { accountId: number; names: string }, never>(
  (db, parameter) => {
    const [accountId, userId, keyId] = [parameter('accountId'), parameter('userId'), parameter('keyId')];
    const [ip, action, at, names] = [parameter('ip'), parameter('action'), parameter('at'), parameter('names')];
    const [subject, name] = [sql.ref('named.key'), sql.ref('named.value')];
    const from =
      dialectOf(db) === 'sqlite'
        ? sql`from json_each(${names}) as named`
        : sql`from json_each_text(${names}::json) as named`;
    return {
      compile: () =>
        insertAuditEvents(db, { accountId, userId, keyId, ip, action, subject, name, at }, from).compile(db),
    };
  },
);
