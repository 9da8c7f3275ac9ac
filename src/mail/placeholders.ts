import type { Addresses } from '../addresses.ts';

/*
 * Placeholders in stored messages. They are filled in when a message is sent. Its links then fit the service's addresses at
 * that time, even if the message waited for a mail server or comes from a backup.
 */

const DELIMITER = '\ue000';

/**
 * The token of a message. The secret is deleted once the message is sent. Then neither the outbox, which keeps messages for
 * 90 days, nor a backup of it contains a working link. If the message is only stored as a file, the secret stays, since the
 * message may be sent later. The link expires in any case.
 */
export const TOKEN = placeholder('secret');

/** PUBLIC_URL without a trailing slash. Links start with it, whatever host the request came to. */
export const PUBLIC_URL = placeholder('public_url');

/** The port of PUBLIC_URL with its colon, or nothing. */
const PUBLIC_PORT = placeholder('public_port');

const SITES_PROTOCOL = placeholder('sites_protocol');
const SITES_DOMAIN = placeholder('sites_domain');

/** Returns the URL of an account's site under SITES_DOMAIN. */
export function siteUrlPlaceholder(subdomain: string): string {
  return `${SITES_PROTOCOL}//${subdomain}.${SITES_DOMAIN}`;
}

/** Returns the URL of the admin app at an agency's own host. */
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
    // Sites are served over the same protocol as the service itself.
    [SITES_PROTOCOL, new URL(publicUrl).protocol],
    [SITES_DOMAIN, sitesDomain],
  ]);
  return text.replace(/\ue000\w+\ue000/g, (marked) => {
    const value = values.get(marked);
    return value == null ? marked : write(value);
  });
}

/** Removes placeholders from text that users entered: otherwise a name could insert the token elsewhere. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(DELIMITER, '');
}

function placeholder(name: string): string {
  return DELIMITER + name + DELIMITER;
}
