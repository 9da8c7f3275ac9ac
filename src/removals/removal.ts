import type { Selectable } from 'kysely';
import type { DomainsTable, PasskeysTable, RecoveryCodesTable, SecondFactorsTable } from '../db/schema.ts';

/*
 * The way back for what lets somebody in. Changes of pages have another, in `pages/undos.ts`, and images have theirs in their
 * own rows.
 */

/** How long a removal can be undone: 10 minutes. */
export const RESTORE_WINDOW_MS = 10 * 60 * 1000;

/** The payload that restores each kind of thing. */
export interface RemovalPayloads {
  /** The row that is deleted. */
  domain: Selectable<DomainsTable>;
  /** Its row stays, revoked. `withUser`: because its user was removed, or may not have any; with them it comes back. */
  key: { withUser: boolean };
  /** Includes the session that removed it: only that session can restore it. */
  passkey: { row: Selectable<PasskeysTable>; sessionId: number };
  /** The user's credentials. The user's row stays, without them. */
  user: {
    passwordHash: string | null;
    passkeys: Selectable<PasskeysTable>[];
    secondFactors: Selectable<SecondFactorsTable>[];
    recoveryCodes: Selectable<RecoveryCodesTable>[];
  };
}

export type RemovalKind = keyof RemovalPayloads;

export interface RemovalOf<K extends RemovalKind> {
  kind: K;
  subjectId: number;
  /** The user who removes it. */
  userId: number;
  payload: RemovalPayloads[K];
}
