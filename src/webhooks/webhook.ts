import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { WebhooksTable } from '../db/schema.ts';
import { notFound, ValidationError } from '../errors.ts';
import type { BrokenRule, FieldError } from '../field-error.ts';
import { isPrivateHost } from '../public-address.ts';

/** A webhook: an address to which the events of an account are sent. */
export type WebhookRow = Selectable<WebhooksTable>;

/** The kinds of events that can be chosen. The types of events begin with them. */
export const eventKinds = ['page', 'media', 'customer', 'plan', 'user', 'domain', 'mail', 'settings'] as const;
export type EventKind = (typeof eventKinds)[number];

export function readKinds(stored: string | null): EventKind[] | null {
  return stored === null ? null : (stored.split(' ') as EventKind[]);
}

const MAX_URL_CHARACTERS = 1000;

/** The settings of the installation for webhooks. */
export interface WebhookSettings {
  /** True if events may be sent to private networks and without TLS. */
  readonly webhooksToPrivateNetworks: boolean;
}

/** The values that a user or program enters for a webhook. */
interface GivenWebhook {
  readonly url: string;
  /** The kinds of events that are sent; null for all. */
  readonly kinds: readonly string[] | null;
}

type OrUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

/**
 * Validates the given values, and returns them as they are stored. Values that are not given stay undefined.
 * @throws ValidationError if the address is not HTTPS, contains a password, or is an IP address in a private network; or if
 * a kind is unknown, or there is none
 */
export function parseWebhook(given: GivenWebhook, settings: WebhookSettings): Pick<WebhookRow, 'url' | 'kinds'>;
export function parseWebhook(
  given: OrUndefined<GivenWebhook>,
  settings: WebhookSettings,
): OrUndefined<Pick<WebhookRow, 'url' | 'kinds'>>;
export function parseWebhook(given: OrUndefined<GivenWebhook>, settings: WebhookSettings) {
  const url = given.url === undefined ? undefined : parseUrl(given.url, settings);
  const kinds = given.kinds === undefined ? undefined : parseKinds(given.kinds);
  const wrong: FieldError[] = [];
  if (url && typeof url !== 'string') wrong.push({ field: 'url', ...url });
  if (kinds && typeof kinds !== 'string') wrong.push({ field: 'kinds', ...kinds });
  if (wrong.length > 0) throw new ValidationError(wrong);
  return { url, kinds };
}

function parseUrl(text: string, { webhooksToPrivateNetworks }: WebhookSettings): string | BrokenRule {
  const url = URL.parse(text.trim());
  const protocols = webhooksToPrivateNetworks ? ['https:', 'http:'] : ['https:'];
  const isAddress = url !== null && protocols.includes(url.protocol) && !url.username && !url.password;
  if (!isAddress) return { code: 'not_a_webhook_address' };
  url.hash = '';
  if (url.href.length > MAX_URL_CHARACTERS) return { code: 'too_long', params: { max: MAX_URL_CHARACTERS } };
  if (!webhooksToPrivateNetworks && isPrivateHost(url.hostname)) return { code: 'private_address' };
  return url.href;
}

function parseKinds(chosen: readonly string[] | null): string | null | BrokenRule {
  if (chosen === null) return null;
  if (chosen.length === 0) return { code: 'blank' };
  if (!chosen.every((name) => eventKinds.some((kind) => kind === name)))
    return { code: 'not_one_of', params: { values: eventKinds } };
  return eventKinds.filter((kind) => chosen.includes(kind)).join(' ');
}

/** Returns a new secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Returns the webhook. @throws AppError `not_found` if it does not exist or was removed */
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

/** Returns the claim of a worker whose run goes on but whose outcome is to be ignored. */
export function voidClaim(claim: string): string {
  return claim.endsWith(VOID) ? claim : claim + VOID;
}

const VOID = ' void';
