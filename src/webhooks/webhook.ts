import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { WebhooksTable } from '../db/schema.ts';
import { notFound, ValidationError } from '../errors.ts';
import { isPrivateHost } from '../public-address.ts';

/** An address to which the events of an account are sent. */
export type WebhookRow = Selectable<WebhooksTable>;

/** What the types of events begin with, of those that somebody can choose. */
export const eventKinds = ['page', 'media', 'customer', 'plan', 'user', 'domain', 'mail', 'settings'] as const;
export type EventKind = (typeof eventKinds)[number];

export function readKinds(stored: string | null): EventKind[] | null {
  return stored === null ? null : (stored.split(' ') as EventKind[]);
}

/** @throws ValidationError for an unknown kind, and for none */
export function storeKinds(chosen: readonly string[] | null): string | null {
  if (chosen === null) return null;
  if (chosen.length === 0) throw new ValidationError([{ field: 'kinds', code: 'blank' }]);
  if (!chosen.every((name) => eventKinds.some((kind) => kind === name)))
    throw new ValidationError([{ field: 'kinds', code: 'not_one_of', params: { values: eventKinds } }]);
  return eventKinds.filter((kind) => chosen.includes(kind)).join(' ');
}

const MAX_URL_CHARACTERS = 1000;

/** What installations allow. */
export interface WebhookSettings {
  /** Whether events may be sent to private networks, and without TLS. */
  readonly webhooksToPrivateNetworks: boolean;
}

/**
 * Returns the address as it is stored.
 * @throws ValidationError for one that is no HTTPS address, holds a password, or leads into a private network by its IP address
 */
export function parseWebhookUrl(text: string, { webhooksToPrivateNetworks }: WebhookSettings): string {
  const url = URL.parse(text.trim());
  const protocols = webhooksToPrivateNetworks ? ['https:', 'http:'] : ['https:'];
  const isAddress = url !== null && protocols.includes(url.protocol) && !url.username && !url.password;
  if (!isAddress) throw new ValidationError([{ field: 'url', code: 'not_a_webhook_address' }]);
  url.hash = '';
  if (url.href.length > MAX_URL_CHARACTERS)
    throw new ValidationError([{ field: 'url', code: 'too_long', params: { max: MAX_URL_CHARACTERS } }]);
  if (!webhooksToPrivateNetworks && isPrivateHost(url.hostname))
    throw new ValidationError([{ field: 'url', code: 'private_address' }]);
  return url.href;
}

/** Returns a secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** @throws AppError `not_found` for one that does not exist or was removed */
export async function getWebhook(db: Db | Trx, accountId: number, id: number): Promise<WebhookRow> {
  const webhook = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!webhook) throw notFound('The webhook');
  return webhook;
}

/** Returns the claim of a worker whose turn goes on, but counts no more. */
export function voidClaim(claim: string): string {
  return claim.endsWith(VOID) ? claim : claim + VOID;
}

const VOID = ' void';
