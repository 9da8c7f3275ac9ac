import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { ValidationError } from '../errors.ts';
import type { BrokenRule } from '../field-error.ts';

/** The installation's own hosts, which no account can claim. */
interface Installation {
  publicUrl: string;
  /** `host[:port]` */
  sitesDomain: string;
}

/**
 * Returns the host name that a user means in the form that the DNS and browsers use: lower case, ASCII, no trailing dot.
 * Accepts an address copied from a browser.
 * @throws ValidationError if it is not a host name, or belongs to the installation
 */
export function parseHost(text: string, installation: Installation): string {
  const host = normalHost(text);
  const mistake =
    validateHost(host) ?? (isOurs(host, installation) ? ({ code: 'of_this_installation' } as const) : undefined);
  if (mistake) throw new ValidationError([{ field: 'host', ...mistake }]);
  return host;
}

/** Returns a host in its stored form, whether it is valid or not. A host without an ASCII form is returned unchanged. */
export function normalHost(text: string): string {
  const host = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/\.$/, '');
  // Browsers would have to decode a host with `%`, so it is left unchanged and fails validation.
  return host.includes('%') ? host : domainToASCII(host) || host;
}

/** Leaves room for the prefix `_website.`. */
const MAX_HOST_CHARACTERS = 253 - 10;

/** Returns the rule that an ASCII host breaks; undefined if it is valid. */
function validateHost(host: string): BrokenRule | undefined {
  if (host === '') return { code: 'blank' };
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return { code: 'ip_address' };
  if (/:\d+$/.test(host)) return { code: 'has_port' };
  if (host.length > MAX_HOST_CHARACTERS) return { code: 'too_long', params: { max: MAX_HOST_CHARACTERS } };
  const labels = host.split('.');
  if (!labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label))) {
    return { code: 'not_a_host_name' };
  }
  // The last label of a host name is never a number; such a text is an incomplete address.
  if (labels.length < 2 || /^\d+$/.test(labels.at(-1)!)) return { code: 'not_a_whole_host_name' };
  return undefined;
}

function isOurs(host: string, { publicUrl, sitesDomain }: Installation): boolean {
  const sites = siteHost(sitesDomain);
  return host === sites || host.endsWith(`.${sites}`) || host === new URL(publicUrl).hostname;
}

/** Returns a configured domain without its port. */
export function siteHost(sitesDomain: string): string {
  return sitesDomain.replace(/:\d+$/, '');
}
