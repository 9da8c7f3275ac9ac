import type { Addresses } from '../addresses.ts';

/*
 * What stands in a stored message for what is put in as it goes out: a message that waits for a mail server, or comes from
 * a backup, leads to where the service is by then.
 */

const DELIMITER = '\ue000';

/**
 * The token of a message, which is forgotten when the message has gone out: what the outbox keeps for 90 days, and every
 * backup of it, opens nothing. Where a message is only kept as a file it stays, as in that file: the message may yet be
 * sent. What it opens has an end by itself.
 */
export const TOKEN = placeholder('secret');

/** PUBLIC_URL, without a slash at the end. Links lead there, whatever host a request named. */
export const PUBLIC_URL = placeholder('public_url');

const SITES_PROTOCOL = placeholder('sites_protocol');
const SITES_DOMAIN = placeholder('sites_domain');

/** The address of an account's site under SITES_DOMAIN. */
export function siteUrlPlaceholder(subdomain: string): string {
  return `${SITES_PROTOCOL}//${subdomain}.${SITES_DOMAIN}`;
}

/** Puts in what the marks of a text stand for, each as `write` has it. */
export function renderPlaceholders(
  text: string,
  secret: string | null,
  { publicUrl, sitesDomain }: Addresses,
  write = (value: string) => value,
): string {
  const values = new Map([
    [TOKEN, secret],
    [PUBLIC_URL, publicUrl],
    // Sites are served as securely as the service itself.
    [SITES_PROTOCOL, new URL(publicUrl).protocol],
    [SITES_DOMAIN, sitesDomain],
  ]);
  return text.replace(/\ue000\w+\ue000/g, (marked) => {
    const value = values.get(marked);
    return value == null ? marked : write(value);
  });
}

/** Somebody's own words, which stay words: with a mark in it, a name would choose where a secret is written. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(DELIMITER, '');
}

function placeholder(name: string): string {
  return DELIMITER + name + DELIMITER;
}
