import { BlockList, isIP } from 'node:net';

/*
 * The types and parsers of the options in `config-options.ts`. Each parser converts a text to the value that the service
 * uses, or throws a `ConfigError`.
 */

export type Values = Readonly<Record<string, string | undefined>>;

export interface Option<T> {
  readonly name: string;
  /** The default, as shown in the table of options; a function if it depends on other options. */
  readonly fallback: string | ((values: Values) => string);
  /** The meaning, as shown in the table of options. */
  readonly about: string;
  /** Parses a value. Throws a `ConfigError` whose message completes "NAME …". */
  readonly parse: (text: string) => T;
}

export function defaultOf({ fallback }: Option<unknown>, values: Values): string {
  return typeof fallback === 'string' ? fallback : fallback(values);
}

/** An invalid value. The message completes "NAME …". */
export class ConfigError extends Error {}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export function logLevel(value: string): LogLevel {
  if (!isLogLevel(value)) throw new ConfigError(`must be one of ${logLevels.join(', ')}`);
  return value;
}

function isLogLevel(value: string): value is LogLevel {
  return (logLevels as readonly string[]).includes(value);
}

export function text(value: string): string {
  return value;
}

export function nonEmpty(value: string): string {
  if (value === '') throw new ConfigError('must not be empty');
  return value;
}

export function trueOrFalse(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new ConfigError('must be true or false');
  return value === 'true';
}

export function whole(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new ConfigError(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

export function databaseAddress(value: string): string {
  // `postgres://user@/name?host=/run/postgresql` names a socket. Only PostgreSQL accepts it as a URL.
  if (value !== '')
    parsedUrl(value.replace('@/', '@localhost/'), ['postgres:', 'postgresql:'], 'a postgres:// address');
  return value;
}

export function publicAddress(value: string): string {
  const form = 'an http:// or https:// address without user, query and fragment';
  const { username, password, search, hash } = parsedUrl(value, ['http:', 'https:'], form);
  if (username || password || search || hash || /[?#]/.test(value)) throw new ConfigError(`must be ${form}`);
  return value.replace(/\/+$/, '');
}

export function bucketAddress(value: string): string {
  if (value === '') return value;
  const form = 'the http:// or https:// address of a bucket, without an access key (see MEDIA_S3_KEY) and path';
  const { username, password, pathname, search, hash } = parsedUrl(value, ['http:', 'https:'], form);
  // `https://HOST/BUCKET` and `https://BUCKET.HOST` are both common.
  const isBucket = /^\/[^/]*\/?$/.test(pathname);
  if (username || password || search || hash || !isBucket) throw new ConfigError(`must be ${form}`);
  return value.replace(/\/+$/, '');
}

export function smtpAddress(value: string): string {
  const form = 'an smtp:// or smtps:// address with the name of the server';
  if (value !== '' && parsedUrl(value, ['smtp:', 'smtps:'], form).hostname === '')
    throw new ConfigError(`must be ${form}`);
  return value;
}

function parsedUrl(value: string, protocols: string[], form: string): URL {
  const url = URL.parse(value);
  if (!url || !protocols.includes(url.protocol)) throw new ConfigError(`must be ${form}`);
  return url;
}

export function domain(value: string): string {
  const lower = value.toLowerCase();
  if (
    !/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?$/.test(lower) ||
    Number(lower.split(':')[1] ?? 0) > 65535
  ) {
    throw new ConfigError(
      'must be a domain name, optionally with a port, like "sites.example.com" or "localhost:8080"',
    );
  }
  return lower;
}

/** Parses the address of an OpenTelemetry collector. */
export function collectorAddress(value: string): string {
  if (value === '') return value;
  const form = 'an http:// or https:// address without query and fragment';
  const { search, hash, username, password } = parsedUrl(value, ['http:', 'https:'], form);
  if (search || hash || username || password)
    throw new ConfigError(`must be ${form}, and without a key (see OTEL_EXPORTER_OTLP_HEADERS)`);
  return value.replace(/\/+$/, '');
}

/** Parses percent-encoded `name=value,other=value`, the format of OpenTelemetry. */
export function headerList(value: string): Readonly<Record<string, string>> {
  const form = 'must be name=value, separated by commas, with the values percent-encoded';
  const items = value === '' ? [] : value.split(',').map((part) => part.trim());
  const headers = items.map((item) => {
    const [, name, encoded] = /^([\w-]+)\s*=\s*([\x21-\x7e]*)$/.exec(item) ?? [];
    const decoded = encoded === undefined ? undefined : percentDecoded(encoded);
    if (name === undefined || decoded === undefined) throw new ConfigError(form);
    return [name, decoded] as const;
  });
  return Object.freeze(Object.fromEntries(headers));
}

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

export function samplerName(value: string): SamplerName {
  const found = samplers.find((name) => name === value);
  if (!found) throw new ConfigError(`must be one of ${samplers.join(', ')}`);
  return found;
}

export function ratio(value: string): number {
  const number = Number(value);
  if (!/^[\d.]+$/.test(value) || !(number >= 0 && number <= 1)) throw new ConfigError('must be a number from 0 to 1');
  return number;
}

/**
 * Decodes a percent-encoded text. Returns undefined if it is malformed, or contains characters that headers must not have.
 */
function percentDecoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return /^[\x20-\x7e]*$/.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function mailAddress(value: string): string {
  const address = /^[^<>]*<([^<>]*)>$/.exec(value)?.[1]?.trim() ?? value;
  if (!/^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/.test(address))
    throw new ConfigError('must be a mail address like "no-reply@example.com"');
  return address;
}

export function addresses(value: string): readonly string[] {
  const items = value === '' ? [] : value.split(',').map((part) => part.trim());
  for (const item of items) {
    const [, address = '', port = '53'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(item) === 6 ? `[${item}]` : item) ?? [];
    if (isIP(address) === 0 || Number(port) < 1 || Number(port) > 65535) {
      throw new ConfigError('must be IP addresses, optionally with a port, separated by commas');
    }
  }
  return Object.freeze(items);
}

/** Parses IP addresses. IPv6 addresses are returned in the form that DNS answers have. */
export function ipAddresses(value: string): readonly string[] {
  const items = value === '' ? [] : value.split(',').map((part) => part.trim());
  if (items.some((item) => isIP(item) === 0)) throw new ConfigError('must be IP addresses, separated by commas');
  const written = items.map((item) =>
    isIP(item) === 6 ? new URL(`http://[${item}]`).hostname.replace(/[[\]]/g, '') : item,
  );
  return Object.freeze(written);
}

export function networks(value: string): BlockList | undefined {
  if (value === '') return undefined;
  const list = new BlockList();
  for (const item of value.split(',').map((part) => part.trim())) {
    if (item === 'loopback') {
      list.addSubnet('127.0.0.0', 8, 'ipv4');
      list.addAddress('::1', 'ipv6');
      continue;
    }
    if (/^(true|yes|on|\d+)$/i.test(item)) {
      throw new ConfigError('must be the proxies to trust: "loopback" for a proxy on this machine, or an IP address');
    }
    const [address = '', prefix] = item.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const longest = family === 'ipv6' ? 128 : 32;
    if (isIP(address) === 0 || (prefix !== undefined && !(/^\d+$/.test(prefix) && Number(prefix) <= longest))) {
      throw new ConfigError('must be IP addresses, networks like 10.0.0.0/8, or "loopback", separated by commas');
    }
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Returns the host of PUBLIC_URL. An invalid address is reported by its own option. */
export function hostOf(publicUrl: string | undefined): string {
  return publicUrl && URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost';
}
