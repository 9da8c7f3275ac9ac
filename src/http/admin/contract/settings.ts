import * as v from 'valibot';
import type { Scope } from '../../../api-keys/scopes.ts';
import type { DomainNote } from '../../../domains/domain-note.ts';
import { flag, integer, text, textOf, wholeNumber } from '../schema.ts';
import type { ShownBrandJson } from './brand.ts';
import type { BodyFormat, Role, Theme } from './common.ts';

export type { Scope };

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
  /** The id of the page that the second button on the home page leads to; null for none. */
  secondButton: number | null;
  language: string;
  /** An IANA name. */
  timeZone: string;
  /** The currency of its prices, by its code of ISO 4217; null until somebody has chosen one. */
  currency: string | null;
  /** The brand that its people see, that of the nearest account above it with one; null if there is none. */
  brand: ShownBrandJson | null;
}

/** PATCH /admin/settings → AccountJson. Fields that are not sent stay as they are. */
export const settingsInput = v.object({
  name: v.optional(text),
  editor: v.optional(textOf<BodyFormat>()),
  theme: v.optional(textOf<Theme>()),
  accent: v.optional(text),
  secondButton: v.optional(v.nullable(integer)),
  language: v.optional(text),
  timeZone: v.optional(text),
});
export type SettingsInput = v.InferInput<typeof settingsInput>;

/** GET /admin/to-do */
export interface ToDoJson {
  /** The tasks left on a new site; empty once it has no default page any more. */
  left: ('name' | 'text' | 'look' | 'address')[];
  /** The default page to begin with. */
  firstPageId: number | null;
}

/** POST /admin/users → 201 {id}; POST /admin/users/ID/invite → 204: the mail once more */
export const inviteUserInput = v.object({ name: text, email: text, role: textOf<Role>() });
export type InviteUserInput = v.InferInput<typeof inviteUserInput>;

/** PATCH /admin/users/ID → 204 */
export const changeUserInput = v.object({
  name: v.optional(text),
  role: v.optional(textOf<Role>()),
  /** Gives back the keys that they lost with the role within the last 10 minutes. */
  withKeys: v.optional(flag, false),
});
export type ChangeUserInput = v.InferInput<typeof changeUserInput>;

/**
 * GET /admin/users → {users}; DELETE /admin/users/ID → 204, POST /admin/users/ID/restore → 204 undoes that for 10
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
 * /admin/keys/ID/restore → 204 undoes that for 10 minutes. POST /admin/keys/ID/revoke-with-issued → 204 ends all keys that were issued with
 * it, too, and cannot be undone.
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
  /** The key's scopes; null for a key that may do everything. */
  scopes: readonly Scope[] | null;
  /** The name of the account's key with which a program issued it; null if a person did. */
  issuerName: string | null;
  /** How many keys that programs have issued with it, in the account and its customers' accounts, still work. */
  issuedKeys: number;
}
/** POST /admin/keys → 201 IssuedKeyJson */
export const issueKeyInput = v.object({
  name: text,
  expiresAt: v.optional(v.nullable(integer), null),
  /** Null for everything. */
  scopes: v.optional(v.nullable(v.array(text)), null),
});
export type IssueKeyInput = v.InferInput<typeof issueKeyInput>;

/** POST /admin/keys/ID/rotate → 201 IssuedKeyJson. The key that it replaces works for some hours more. */
export const rotateKeyInput = v.object({ overlapHours: v.optional(integer) });
export type RotateKeyInput = v.InferInput<typeof rotateKeyInput>;

/** The only time that the key is seen. */
export interface IssuedKeyJson {
  id: number;
  key: string;
}

/** POST /admin/domains → 201 DomainJson */
export const addDomainInput = v.object({ host: text });
export type AddDomainInput = v.InferInput<typeof addDomainInput>;

/** With `mayLeadElsewhere`, a domain is verified even if its visitors do not come here yet. */
export const verifyDomainInput = v.object({ mayLeadElsewhere: v.optional(v.boolean(), false) });
export type VerifyDomainInput = v.InferInput<typeof verifyDomainInput>;

/**
 * GET /admin/domains → {domains}; POST /admin/domains/ID/verify → DomainJson;
 * DELETE /admin/domains/ID → 204; POST /admin/domains/ID/restore → 204 undoes that for 10 minutes, or 409 when somebody
 * has the domain by now
 */
export interface DomainJson {
  id: number;
  host: string;
  /** The host as people write it, if it is an internationalised name. */
  shownHost: string;
  isPrimary: boolean;
  /** The admin app of the account's customers is there, and not its site. */
  isApp: boolean;
  verifiedAt: number | null;
  checkedAt: number | null;
  /** The problems that the last check found. */
  notes: readonly DomainNote[];
  /** Whether the service goes on looking by itself. */
  isChecked: boolean;
  /** The records to choose from. `nameInZone` is the name without the domain that the person has bought, or `@`. */
  records: {
    type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'ALIAS';
    name: string;
    nameInZone: string;
    value: string;
  }[];
}

/** The kind of actor: the operator is one of the people. */
const auditActorKind = v.picklist(['people', 'programs'], 'must be people or programs');
export type AuditActorKind = v.InferOutput<typeof auditActorKind>;

/** GET /admin/log → {entries, hasMore}: 50, the latest first */
export const logQuery = v.object({ by: v.optional(auditActorKind), before: v.optional(wholeNumber) });

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
  /** Whether the page or image it was done to is in the trash. */
  isInTrash: boolean;
  details: Record<string, unknown>;
  ip: string | null;
  at: number;
}

/** POST /admin/domains/:id/use → DomainUseJson: whether the admin app of the account's customers is at the domain, or its site. */
export const domainUseInput = v.object({ isApp: flag });
export type DomainUseInput = v.InferInput<typeof domainUseInput>;
export interface DomainUseJson {
  /** The id of the domain at which the app was before; null for none. */
  before: number | null;
}
