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
 * The host name a person means, as the DNS and browsers write it: lower case, in ASCII, without a dot at the end. An
 * address that was copied from a browser is taken for its host.
 * @throws ValidationError when it is none, or belongs to the installation.
 */
export function parseHost(text: string, installation: Installation): string {
  const host = normalHost(text);
  const mistake =
    validateHost(host) ?? (isOurs(host, installation) ? ({ code: 'of_this_installation' } as const) : undefined);
  if (mistake) throw new ValidationError([{ field: 'host', ...mistake }]);
  return host;
}

/** Returns a host as it is stored, valid or not; one without an ASCII form is returned as it is. */
export function normalHost(text: string): string {
  const host = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/\.$/, '');
  // A host name with `%` is no honest one: browsers would have to decode it first.
  return host.includes('%') ? host : domainToASCII(host) || host;
}

/** Leaves room for `_website.` in front of it. */
const MAX_HOST_CHARACTERS = 253 - 10;

/** Returns the rule that a host in ASCII breaks; undefined if none. */
function validateHost(host: string): BrokenRule | undefined {
  if (host === '') return { code: 'blank' };
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return { code: 'ip_address' };
  if (/:\d+$/.test(host)) return { code: 'has_port' };
  if (host.length > MAX_HOST_CHARACTERS) return { code: 'too_long', params: { max: MAX_HOST_CHARACTERS } };
  const labels = host.split('.');
  if (!labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label))) {
    return { code: 'not_a_host_name' };
  }
  // The last part of a name is never a number: such a thing is half an address.
  if (labels.length < 2 || /^\d+$/.test(labels.at(-1)!)) return { code: 'not_a_whole_host_name' };
  return undefined;
}

function isOurs(host: string, { publicUrl, sitesDomain }: Installation): boolean {
  const sites = siteHost(sitesDomain);
  return host === sites || host.endsWith(`.${sites}`) || host === new URL(publicUrl).hostname;
}

/** A domain of the configuration without its port. */
export function siteHost(sitesDomain: string): string {
  return sitesDomain.replace(/:\d+$/, '');
}
