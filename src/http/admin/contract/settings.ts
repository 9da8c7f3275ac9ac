import * as v from 'valibot';
import type { Scope } from '../../../api-keys/scopes.ts';
import type { DomainNote } from '../../../domains/domain-note.ts';
import { flag, integer, text, textOf, wholeNumber } from '../schema.ts';
import type { ShownBrandJson } from './brand.ts';
import type { BodyFormat, Role, Theme } from './common.ts';

export type { Scope };

/* The settings of an account: its site, users, keys and domains, and its log. */

/** Part of GET /admin/session; the answer of GET and PATCH /admin/settings. */
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
  /** The currency of the account's prices, as an ISO 4217 code; null until one is chosen. */
  currency: string | null;
  /** The brand that the account's users see: from the nearest account above with a brand; null if there is none. */
  brand: ShownBrandJson | null;
}

/** PATCH /admin/settings → AccountJson. Omitted fields stay as they are. */
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
  /** The tasks left on a new site; empty once it has no default pages any more. */
  left: ('name' | 'text' | 'look' | 'address')[];
  /** The default page to edit first. */
  firstPageId: number | null;
}

/** POST /admin/users → 201 {id}; POST /admin/users/ID/invite → 204 mails the invitation again. */
export const inviteUserInput = v.object({ name: text, email: text, role: textOf<Role>() });
export type InviteUserInput = v.InferInput<typeof inviteUserInput>;

/** PATCH /admin/users/ID → 204 */
export const changeUserInput = v.object({
  name: v.optional(text),
  role: v.optional(textOf<Role>()),
  /** Restores the keys that were revoked with the former role in the last 10 minutes. */
  withKeys: v.optional(flag, false),
});
export type ChangeUserInput = v.InferInput<typeof changeUserInput>;

/**
 * GET /admin/users → {users}. DELETE /admin/users/ID → 204. POST /admin/users/ID/restore → 204 undoes the deletion for 10
 * minutes: keys and passkeys work again, but the user must sign in anew; 409 if another user has the address by now.
 */
export interface UserJson {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** False until the user has chosen a password. */
  hasAccepted: boolean;
  hasSecondFactor: boolean;
  createdAt: number;
  /** Null if the user has never used a session, or not in the last 90 days. */
  lastSeenAt: number | null;
  /** How many API keys in the user's name still work. They are revoked with the user, or with the right to issue keys. */
  keyCount: number;
}

/**
 * GET /admin/keys → {keys}. DELETE /admin/keys/ID → 204 revokes the key at once; it stays in the list. POST
 * /admin/keys/ID/restore → 204 undoes the revocation for 10 minutes. POST /admin/keys/ID/revoke-with-issued → 204 also revokes
 * all keys that were issued with the key, and cannot be undone.
 */
export interface ApiKeyJson {
  id: number;
  name: string;
  last4: string;
  /** The name of the user that the key acts for. */
  userName: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  lastUsedIp: string | null;
  /** The key's scopes; null for a key that may do everything. */
  scopes: readonly Scope[] | null;
  /** The name of the account's key with which a program issued this key; null if a person issued it. */
  issuerName: string | null;
  /** How many keys that programs have issued with this key still work, in the account and its customers' accounts. */
  issuedKeys: number;
}
/** POST /admin/keys → 201 IssuedKeyJson */
export const issueKeyInput = v.object({
  name: text,
  expiresAt: v.optional(v.nullable(integer), null),
  /** Null for a key that may do everything. */
  scopes: v.optional(v.nullable(v.array(text)), null),
});
export type IssueKeyInput = v.InferInput<typeof issueKeyInput>;

/** POST /admin/keys/ID/rotate → 201 IssuedKeyJson. The replaced key goes on working for `overlapHours`. */
export const rotateKeyInput = v.object({ overlapHours: v.optional(integer) });
export type RotateKeyInput = v.InferInput<typeof rotateKeyInput>;

/** The only answer that ever contains the key. */
export interface IssuedKeyJson {
  id: number;
  key: string;
}

/** POST /admin/domains → 201 DomainJson */
export const addDomainInput = v.object({ host: text });
export type AddDomainInput = v.InferInput<typeof addDomainInput>;

/** With `mayLeadElsewhere`, a domain is verified even if it does not point to this service yet. */
export const verifyDomainInput = v.object({ mayLeadElsewhere: v.optional(v.boolean(), false) });
export type VerifyDomainInput = v.InferInput<typeof verifyDomainInput>;

/**
 * GET /admin/domains → {domains}. POST /admin/domains/ID/verify → DomainJson. DELETE /admin/domains/ID → 204.
 * POST /admin/domains/ID/restore → 204 undoes the deletion for 10 minutes; 409 if another account has the domain by now.
 */
export interface DomainJson {
  id: number;
  host: string;
  /** The host in Unicode, if it is an internationalized name. */
  shownHost: string;
  isPrimary: boolean;
  /** True if the domain serves the admin app for the account's customers, and not the account's site. */
  isApp: boolean;
  verifiedAt: number | null;
  checkedAt: number | null;
  /** The problems that the last check found. */
  notes: readonly DomainNote[];
  /** True if the service keeps checking the domain by itself. */
  isChecked: boolean;
  /** The DNS records to choose from. `nameInZone` is the name without the registered domain, or `@`. */
  records: {
    type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'ALIAS';
    name: string;
    nameInZone: string;
    value: string;
  }[];
}

/** A kind of actor. The operator counts as one of the people. */
const auditActorKind = v.picklist(['people', 'programs'], 'must be people or programs');
export type AuditActorKind = v.InferOutput<typeof auditActorKind>;

/** GET /admin/log → {entries, hasMore}: 50 entries, the latest first */
export const logQuery = v.object({ by: v.optional(auditActorKind), before: v.optional(wholeNumber) });

export interface LogEntryJson {
  id: number;
  /** A name, `operator`, or `somebody`. */
  actor: string;
  userId: number | null;
  /** The API key that a program used in the user's name; null for people. */
  key: { name: string; last4: string } | null;
  /** Such as `page.moved`. */
  action: string;
  /** Such as `page_12`. */
  subject: string;
  /** The changed page, if it still exists. */
  pageId: number | null;
  /** True if the changed page or image is in the trash. */
  isInTrash: boolean;
  details: Record<string, unknown>;
  ip: string | null;
  at: number;
}

/** POST /admin/domains/:id/use → DomainUseJson. Makes the domain serve the admin app for customers, or the account's site. */
export const domainUseInput = v.object({ isApp: flag });
export type DomainUseInput = v.InferInput<typeof domainUseInput>;
export interface DomainUseJson {
  /** The id of the domain that served the app before; null for none. */
  before: number | null;
}
