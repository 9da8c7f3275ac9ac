import type { DomainNote } from '../../../domains/domain-note.ts';
import type { BodyFormat, Role, Theme } from './common.ts';

/* The settings of an account: its site, people, keys, domains, and its log. */

/** In GET /admin/session, and GET and PATCH /admin/settings */
export interface AccountJson {
  id: number;
  name: string;
  subdomain: string;
  /** The URL of the site, without a trailing slash. */
  address: string;
  editor: BodyFormat;
  theme: Theme;
  accent: string;
  language: string;
  /** An IANA name. */
  timeZone: string;
}

/** PATCH /admin/settings → AccountJson. What is not sent stays as it is. */
export type SettingsInput = Partial<
  Pick<AccountJson, 'name' | 'editor' | 'theme' | 'accent' | 'language' | 'timeZone'>
>;

/**
 * GET /admin/users → {users}; POST /admin/users {name, email, role} → 201 {id}; POST /admin/users/ID/invite → 204, the
 * mail once more; PATCH /admin/users/ID {name?, role?, withKeys?} → 204: `withKeys` gives back the keys that they lost with
 * the role within the last 10 minutes; DELETE /admin/users/ID → 204, POST /admin/users/ID/restore → 204 undoes that for 10
 * minutes: they sign in anew, and their keys and passkeys work again; 409 when somebody else has their address by now.
 */
export interface UserJson {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** False until they have chosen a password. */
  hasAccepted: boolean;
  hasSecondFactor: boolean;
  createdAt: number;
  /** Null when they were never here, or not in the last 90 days. */
  lastSeenAt: number | null;
  /** API keys in their name that still work: revoked when they are removed, or may not issue any more. */
  keyCount: number;
}

/**
 * GET /admin/keys → {keys}; DELETE /admin/keys/ID → 204 (the key ends at once, and stays in the list); POST
 * /admin/keys/ID/restore → 204 undoes that for 10 minutes.
 */
export interface ApiKeyJson {
  id: number;
  name: string;
  last4: string;
  /** In whose name it acts. */
  userName: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  lastUsedIp: string | null;
}
/** POST /admin/keys {name, expiresAt?} and POST /admin/keys/ID/rotate {overlapHours?} → 201: the only time it is seen */
export interface IssuedKeyJson {
  id: number;
  key: string;
}

/**
 * GET /admin/domains → {domains}; POST /admin/domains {host} → 201 DomainJson; POST /admin/domains/ID/verify → DomainJson;
 * DELETE /admin/domains/ID → 204; POST /admin/domains/ID/restore → 204 undoes that for 10 minutes, or 409 when somebody
 * has the domain by now
 */
export interface DomainJson {
  id: number;
  host: string;
  /** The host as people write it, if it is an internationalised name. */
  shownHost: string;
  isPrimary: boolean;
  verifiedAt: number | null;
  checkedAt: number | null;
  /** The problems that the last check found. */
  notes: readonly DomainNote[];
  /** One of these in the DNS proves that the host is the account's. */
  records: { type: 'TXT' | 'CNAME'; name: string; value: string }[];
}

/** Whose actions: the operator is one of the people. */
export type AuditActorKind = 'people' | 'programs';

/** GET /admin/log?by=AuditActorKind&before=ID → {entries, hasMore}: 50, the latest first; both may be left out */
export interface LogEntryJson {
  id: number;
  /** A name, `operator`, or `somebody`. */
  actor: string;
  userId: number | null;
  /** The API key that a program used in the name of the user; null for people. */
  key: { name: string; last4: string } | null;
  /** `page.moved` */
  action: string;
  /** `page_12` */
  subject: string;
  /** The page it was done to, if that is there. */
  pageId: number | null;
  details: Record<string, unknown>;
  ip: string | null;
  at: number;
}
