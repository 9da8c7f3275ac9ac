import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { TRACEPARENT_CHARACTERS } from '../trace.ts';
import { shownName } from './shown-name.ts';

/** A user who creates something. */
export interface Creator {
  readonly userId: number;
  readonly ip: string;
  /** Their API key; undefined if they are signed in. */
  readonly keyId?: number | undefined;
}

/** The subjects that a user created at one time. */
interface Creations extends Creator {
  /** As in `AuditEvent`. */
  action: string;
  /** The ids of the subjects, with their names and the requests that created them: `['page_12', 'News', '00-…']`. */
  subjects: ReadonlyArray<readonly [subject: string, name: string, traceparent: string | null]>;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Records what a user created, one event for each subject, in the transaction of the change. One prepared statement does it,
 * since API clients can cause thousands of events a second.
 */
export async function recordCreations(
  trx: Trx,
  accountId: number,
  { subjects, keyId, ...rest }: Creations,
): Promise<void> {
  // The JSON is concatenated: objects with ever new keys would take longer than everything else here.
  const names = subjects
    .map(([subject, name, traceparent]) => `"${traceparent ?? NO_TRACE}${subject}":${JSON.stringify(name)}`)
    .join(',');
  await insert(trx, { ...rest, keyId: keyId ?? null, accountId, names: `{${names}}` });
}

/**
 * Stands for a missing `traceparent`. It has the same length, so that subjects always begin at the same position: JSON
 * arrays instead would take twice as long to read.
 */
const NO_TRACE = ' '.repeat(TRACEPARENT_CHARACTERS);

type Column = 'accountId' | 'userId' | 'keyId' | 'ip' | 'action' | 'subject' | 'name' | 'at' | 'traceparent';

/**
 * Returns the statement that records an event for each row of `from`. On PostgreSQL, it can be part of the statement that
 * makes the change, which saves a round trip.
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
    insert into audit_log (account_id, user_id, api_key_id, actor, action, subject, ip, at, details, traceparent)
    select
      ${event.accountId}, ${event.userId}, ${event.keyId},
      (select ${shownName('users')} from users where users.account_id = ${event.accountId} and users.id = ${event.userId}),
      ${event.action}, ${event.subject}, ${event.ip}, ${event.at}, ${details}, ${event.traceparent}
    ${from}`;
}

const insert = prepared<Record<Exclude<Column, 'subject' | 'name' | 'traceparent'> | 'names', unknown>, never>(
  (db, parameter) => {
    const [accountId, userId, keyId] = [parameter('accountId'), parameter('userId'), parameter('keyId')];
    const [ip, action, at, names] = [parameter('ip'), parameter('action'), parameter('at'), parameter('names')];
    const name = sql.ref('named.value');
    const subject = sql`substr(named.key, ${sql.lit(TRACEPARENT_CHARACTERS + 1)})`;
    const traceparent = sql`nullif(substr(named.key, 1, ${sql.lit(TRACEPARENT_CHARACTERS)}), ${sql.lit(NO_TRACE)})`;
    const from =
      dialectOf(db) === 'sqlite'
        ? sql`from json_each(${names}) as named`
        : sql`from json_each_text(${names}::json) as named`;
    return {
      compile: () =>
        insertAuditEvents(db, { accountId, userId, keyId, ip, action, subject, name, at, traceparent }, from).compile(
          db,
        ),
    };
  },
);
