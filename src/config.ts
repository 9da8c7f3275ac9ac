import { BlockList, isIP } from 'node:net';
import { AppError } from './errors.ts';

/** Everything the service can be told, read once at start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly databasePool: number;
  /** The `{base_url}` of the interface, without a trailing slash. */
  readonly publicUrl: string;
  /** `host[:port]` under which every account has its subdomain. */
  readonly sitesDomain: string;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  /** `address[:port]` of the DNS servers to ask; empty for those of the system. */
  readonly dnsServers: readonly string[];
  readonly tlsCert: string;
  readonly tlsKey: string;
  /** The proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustProxy: BlockList | undefined;
  readonly logLevel: LogLevel;
  readonly workers: number;
  readonly rateLimit: number;
  readonly failedKeyLimit: number;
  readonly metricsPort: number;
  readonly maxUrlBytes: number;
  readonly maxBodyBytes: number;
  readonly cacheBytes: number;
  readonly siteCacheBytes: number;
  /** Seconds. */
  readonly siteMaxAge: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly stopTimeout: number;
}

type LogLevel = (typeof logLevels)[number];
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

type Values = Readonly<Record<string, string | undefined>>;

interface Option<T> {
  readonly name: string;
  /** As it reads in the table of options; a function where it follows from other options. */
  readonly fallback: string | ((values: Values) => string);
  /** Completes the sentence "NAME: …" in the table. */
  readonly about: string;
  /** Throws a `Wrong` that completes "NAME …". */
  readonly parse: (text: string) => T;
}

class Wrong extends Error {}

const port = (values: Values) => values.PORT || '8080';

/** One row an option: the parser, the default and the words of the README's table. */
const options: { readonly [K in keyof Config]: Option<Config[K]> } = {
  port: { name: 'PORT', fallback: '8080', about: 'The port to listen on.', parse: whole(0, 65535) },
  host: {
    name: 'HOST',
    fallback: '',
    about: 'The address to listen on. Empty: every address, IPv4 and IPv6.',
    parse: text,
  },
  dataDir: {
    name: 'DATA_DIR',
    fallback: './data',
    about: 'The folder for the SQLite file, and for mail while no mail server is named.',
    parse: nonEmpty,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    fallback: '',
    about: 'A `postgres://user:password@host/name` address. Empty: SQLite in `DATA_DIR`.',
    parse: databaseAddress,
  },
  databasePool: {
    name: 'DATABASE_POOL',
    fallback: '10',
    about: 'How many connections to PostgreSQL one process may hold.',
    parse: whole(2, 1000),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    fallback: (values) => `${values.TLS_CERT ? 'https' : 'http'}://localhost:${port(values)}`,
    about: 'Where clients reach the service, the `{base_url}` of the API. With `https`, plain HTTP calls are refused.',
    parse: publicAddress,
  },
  sitesDomain: {
    name: 'SITES_DOMAIN',
    fallback: (values) => `localhost:${port(values)}`,
    about: 'The domain (and port, if not the usual one) under which every account has its subdomain.',
    parse: domain,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    fallback: '',
    about:
      'The mail server, `smtp://user:password@host:587` or `smtps://…`. Empty: messages are kept in `DATA_DIR/mail`.',
    parse: smtpAddress,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    fallback: (values) => `no-reply@${hostOf(values.PUBLIC_URL)}`,
    about:
      'The address that mail comes from. Of `Name <address>` only the address counts: the name is the sending account’s.',
    parse: mailAddress,
  },
  dnsServers: {
    name: 'DNS_SERVERS',
    fallback: '',
    about:
      "Who is asked about accounts' own domains: addresses, with a port if not 53, by commas. Empty: the system's servers.",
    parse: addresses,
  },
  tlsCert: {
    name: 'TLS_CERT',
    fallback: '',
    about: 'A PEM file with the certificate chain: serves HTTPS itself.',
    parse: text,
  },
  tlsKey: { name: 'TLS_KEY', fallback: '', about: 'The PEM file with the key of `TLS_CERT`.', parse: text },
  trustProxy: {
    name: 'TRUST_PROXY',
    fallback: '',
    about:
      'Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses and networks, or `loopback`, by commas.',
    parse: networks,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    fallback: 'info',
    about: `How much is logged: ${logLevels.join(', ')}. Every request is logged at info.`,
    parse: (value) => {
      if (!isLogLevel(value)) throw new Wrong(`must be one of ${logLevels.join(', ')}`);
      return value;
    },
  },
  workers: { name: 'WORKERS', fallback: '1', about: 'How many processes serve the port.', parse: whole(1, 256) },
  rateLimit: {
    name: 'RATE_LIMIT',
    fallback: '6000',
    about: 'How many requests a minute one API key may make; 0 for no limit.',
    parse: whole(0, 1e9),
  },
  failedKeyLimit: {
    name: 'FAILED_KEY_LIMIT',
    fallback: '300',
    about: 'How many requests a minute with a wrong key one address may make; 0 for no limit.',
    parse: whole(0, 1e9),
  },
  metricsPort: {
    name: 'METRICS_PORT',
    fallback: '0',
    about:
      'A port of its own for `/healthz`, `/readyz`, `/metrics` and `/internal/…`. 0: on `PORT`, for callers on this machine only.',
    parse: whole(0, 65535),
  },
  maxUrlBytes: {
    name: 'MAX_URL_BYTES',
    fallback: '2097152',
    about: 'The longest URL that is read, in bytes.',
    parse: whole(1024 * 1024, 64 * 1024 * 1024),
  },
  maxBodyBytes: {
    name: 'MAX_BODY_BYTES',
    fallback: '20971520',
    about: 'The largest request body that is read, in bytes.',
    parse: whole(16 * 1024 * 1024, 256 * 1024 * 1024),
  },
  cacheBytes: {
    name: 'CACHE_BYTES',
    fallback: '67108864',
    about: 'How much memory one process may use to keep finished answers, in bytes.',
    parse: whole(0, 64 * 1024 ** 3),
  },
  siteCacheBytes: {
    name: 'SITE_CACHE_BYTES',
    fallback: '67108864',
    about: 'How much memory one process may use to keep the finished pages of sites, in bytes.',
    parse: whole(0, 64 * 1024 ** 3),
  },
  siteMaxAge: {
    name: 'SITE_MAX_AGE',
    fallback: '0',
    about: 'How long a shared cache, such as a CDN, may answer for a site without asking, in seconds.',
    parse: whole(0, 86_400),
  },
  requestTimeout: {
    name: 'REQUEST_TIMEOUT',
    fallback: '120000',
    about: 'How long a client may take to send a request, in milliseconds.',
    parse: whole(1000, 3_600_000),
  },
  stopTimeout: {
    name: 'STOP_TIMEOUT',
    fallback: '30000',
    about: 'How long requests under way may take to finish when the service stops, in milliseconds.',
    parse: whole(0, 3_600_000),
  },
};

/**
 * Reads the configuration from environment variables; an empty variable counts as not set.
 * @throws AppError `invalid` with one sentence for every wrong value.
 */
export function readConfig(environment: Values): Config {
  const values: Values = Object.fromEntries(
    Object.values(options).map(({ name }) => [name, environment[name]?.trim() || undefined]),
  );
  const mistakes: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    const value = values[option.name] ?? defaultOf(option, values);
    try {
      config[key] = option.parse(value);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      // What was not told, and is wrong only because it follows from what was, is not a second mistake.
      if (values[option.name] === undefined && mistakes.length > 0) continue;
      // An address may hold a password: say what is wrong without repeating it.
      mistakes.push(`${option.name} ${error.message}${/_URL$/.test(option.name) ? '' : `, not "${value}"`}.`);
    }
  }
  if (!values.TLS_CERT !== !values.TLS_KEY) mistakes.push('TLS_CERT and TLS_KEY must be set together.');
  if (values.METRICS_PORT && values.METRICS_PORT === port(values)) mistakes.push('METRICS_PORT must differ from PORT.');
  if (mistakes.length > 0) throw new AppError('invalid', mistakes.join('\n'));
  return Object.freeze(config) as unknown as Config;
}

/** The options as a Markdown table: the README's, held equal to it by a test. */
export function configTable(): string {
  const shown: Record<string, string> = {
    PUBLIC_URL: '`http://localhost:PORT`',
    SITES_DOMAIN: '`localhost:PORT`',
    MAIL_FROM: '`no-reply@` the host of `PUBLIC_URL`',
  };
  const rows = Object.values(options).map(
    ({ name, fallback, about }) =>
      `| \`${name}\` | ${shown[name] ?? (fallback === '' ? '' : `\`${fallback}\``)} | ${about} |`,
  );
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function defaultOf({ fallback }: Option<unknown>, values: Values): string {
  return typeof fallback === 'string' ? fallback : fallback(values);
}

function text(value: string): string {
  return value;
}

function nonEmpty(value: string): string {
  if (value === '') throw new Wrong('must not be empty');
  return value;
}

function whole(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Wrong(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

function databaseAddress(value: string): string {
  // `postgres://user@/name?host=/run/postgresql` names a socket, and is no URL for anyone but PostgreSQL.
  if (value !== '')
    parsedUrl(value.replace('@/', '@localhost/'), ['postgres:', 'postgresql:'], 'a postgres:// address');
  return value;
}

function publicAddress(value: string): string {
  const form = 'an http:// or https:// address without user, query and fragment';
  const { username, password, search, hash } = parsedUrl(value, ['http:', 'https:'], form);
  if (username || password || search || hash || /[?#]/.test(value)) throw new Wrong(`must be ${form}`);
  return value.replace(/\/+$/, '');
}

function smtpAddress(value: string): string {
  const form = 'an smtp:// or smtps:// address with the name of the server';
  if (value !== '' && parsedUrl(value, ['smtp:', 'smtps:'], form).hostname === '') throw new Wrong(`must be ${form}`);
  return value;
}

function parsedUrl(value: string, protocols: string[], form: string): URL {
  const url = URL.parse(value);
  if (!url || !protocols.includes(url.protocol)) throw new Wrong(`must be ${form}`);
  return url;
}

function domain(value: string): string {
  const lower = value.toLowerCase();
  if (
    !/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?$/.test(lower) ||
    Number(lower.split(':')[1] ?? 0) > 65535
  ) {
    throw new Wrong('must be a domain name, with a port if need be, like "sites.example.com" or "localhost:8080"');
  }
  return lower;
}

function mailAddress(value: string): string {
  const address = /^[^<>]*<([^<>]*)>$/.exec(value)?.[1]?.trim() ?? value;
  if (!/^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/.test(address))
    throw new Wrong('must be a mail address like "no-reply@example.com"');
  return address;
}

function addresses(value: string): readonly string[] {
  const items = value === '' ? [] : value.split(',').map((part) => part.trim());
  for (const item of items) {
    const [, address = '', port = '53'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(item) === 6 ? `[${item}]` : item) ?? [];
    if (isIP(address) === 0 || Number(port) < 1 || Number(port) > 65535) {
      throw new Wrong('must be IP addresses, with a port if need be, separated by commas');
    }
  }
  return Object.freeze(items);
}

function hostOf(publicUrl: string | undefined): string {
  return publicUrl && URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost';
}

function networks(value: string): BlockList | undefined {
  if (value === '') return undefined;
  const list = new BlockList();
  for (const item of value.split(',').map((part) => part.trim())) {
    if (item === 'loopback') {
      list.addSubnet('127.0.0.0', 8, 'ipv4');
      list.addAddress('::1', 'ipv6');
      continue;
    }
    if (/^(true|yes|on|\d+)$/i.test(item)) {
      throw new Wrong(
        'must be whose headers are believed: "loopback" for a proxy on this machine, else its IP address',
      );
    }
    const [address = '', prefix] = item.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const longest = family === 'ipv6' ? 128 : 32;
    if (isIP(address) === 0 || (prefix !== undefined && !(/^\d+$/.test(prefix) && Number(prefix) <= longest))) {
      throw new Wrong('must be IP addresses, networks like 10.0.0.0/8, or "loopback", separated by commas');
    }
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function isLogLevel(value: string): value is LogLevel {
  return (logLevels as readonly string[]).includes(value);
}
