import type { Addresses } from '../addresses.ts';

/*
 * Placeholders in stored messages, filled in when a message is sent: a message that waits for a mail server, or comes
 * from a backup, then links to where the service is at that time.
 */

const DELIMITER = '\ue000';

/**
 * The token of a message. It is deleted once the message is sent, so that neither the outbox, which keeps messages for
 * 90 days, nor a backup of it opens anything. For a message that is only kept as a file it stays, since that message
 * may yet be sent. The link itself expires anyway.
 */
export const TOKEN = placeholder('secret');

/** PUBLIC_URL without a trailing slash. Links start with it, whatever host a request named. */
export const PUBLIC_URL = placeholder('public_url');

/** Stands for the port of PUBLIC_URL with its colon, or for nothing. */
const PUBLIC_PORT = placeholder('public_port');

const SITES_PROTOCOL = placeholder('sites_protocol');
const SITES_DOMAIN = placeholder('sites_domain');

/** The address of an account's site under SITES_DOMAIN. */
export function siteUrlPlaceholder(subdomain: string): string {
  return `${SITES_PROTOCOL}//${subdomain}.${SITES_DOMAIN}`;
}

/** The URL of the admin app at a host of an agency's own. */
export function appUrlPlaceholder(host: string): string {
  return `${SITES_PROTOCOL}//${host}${PUBLIC_PORT}`;
}

/** Replaces the placeholders of a text with their values, each passed through `write`. */
export function renderPlaceholders(
  text: string,
  secret: string | null,
  { publicUrl, sitesDomain }: Addresses,
  write = (value: string) => value,
): string {
  const values = new Map([
    [TOKEN, secret],
    [PUBLIC_URL, publicUrl],
    [PUBLIC_PORT, new URL(publicUrl).port.replace(/^(?=.)/, ':')],
    // Sites are served as securely as the service itself.
    [SITES_PROTOCOL, new URL(publicUrl).protocol],
    [SITES_DOMAIN, sitesDomain],
  ]);
  return text.replace(/\ue000\w+\ue000/g, (marked) => {
    const value = values.get(marked);
    return value == null ? marked : write(value);
  });
}

/** Removes placeholders from text that people chose: otherwise a name could decide where a token is written. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(DELIMITER, '');
}

function placeholder(name: string): string {
  return DELIMITER + name + DELIMITER;
}
