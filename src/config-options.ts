import type { BlockList } from 'node:net';
import {
  addresses,
  bucketAddress,
  collectorAddress,
  databaseAddress,
  domain,
  headerList,
  hostOf,
  ipAddresses,
  type LogLevel,
  logLevel,
  logLevels,
  mailAddress,
  networks,
  nonEmpty,
  type Option,
  publicAddress,
  ratio,
  type SamplerName,
  samplerName,
  samplers,
  smtpAddress,
  text,
  trueOrFalse,
  type Values,
  whole,
} from './config-values.ts';

/** The options of the service, as parsed values. */
export interface Options {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** The folder of the continuous backup of SQLite's database; empty for none. */
  readonly backupFolder: string;
  /** How many days the continuous backup reaches back. */
  readonly backupDays: number;
  readonly databaseUrl: string;
  readonly databaseReplicaUrl: string;
  readonly databasePool: number;
  readonly databaseTimeoutMs: number;
  /** The `{base_url}` of the API, without a trailing slash. */
  readonly publicUrl: string;
  /** `host[:port]` below which every account has its subdomain. */
  readonly sitesDomain: string;
  /** The IP addresses at which visitors reach the installation. */
  readonly sitesAddresses: readonly string[];
  readonly smtpUrl: string;
  readonly mailFrom: string;
  /** `address[:port]` of the DNS servers to ask; empty for the system's. */
  readonly dnsServers: readonly string[];
  readonly tlsCert: string;
  readonly tlsKey: string;
  /** The proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustProxy: BlockList | undefined;
  readonly logLevel: LogLevel;
  readonly workers: number;
  /** The OpenTelemetry collector; empty for none. */
  readonly otlpEndpoint: string;
  readonly otlpHeaders: Readonly<Record<string, string>>;
  readonly otelServiceName: string;
  readonly tracesSampler: SamplerName;
  readonly tracesSamplerArg: number;
  readonly rateLimit: number;
  readonly failedKeyLimit: number;
  readonly customersPerAddress: number;
  readonly connectionsPerAddress: number;
  readonly metricsPort: number;
  readonly maxUrlBytes: number;
  readonly maxBodyBytes: number;
  readonly cacheBytes: number;
  readonly siteCacheBytes: number;
  readonly siteMaxAgeSeconds: number;
  /** How many bytes the images of one account may take. */
  readonly mediaQuota: number;
  /** How many bytes the texts of one account's pages may take, including earlier versions, deleted pages and drafts. */
  readonly pageQuota: number;
  /** The bucket, with an optional prefix; empty for files in `dataDir`. */
  readonly mediaS3Url: string;
  readonly mediaS3Region: string;
  readonly mediaS3Key: string;
  readonly mediaS3Secret: string;
  /** True if events may be sent to private networks and without TLS, and images of imported sites may come from there. */
  readonly webhooksToPrivateNetworks: boolean;
  /** True if all commands already have these settings. */
  readonly inContainer: boolean;
  readonly requestTimeoutMs: number;
  readonly stopTimeoutMs: number;
}

export const port = (values: Values) => values.PORT || '8080';

/** One row for each option: its parser, its default, and its text in the table of docs/configuration.md. */
export const options: { readonly [K in keyof Options]: Option<Options[K]> } = {
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
    about: 'The folder for the SQLite file, images, archives of accounts, and mail if no mail server is set.',
    parse: nonEmpty,
  },
  backupFolder: {
    name: 'BACKUP_FOLDER',
    fallback: '',
    about:
      'A folder on another disk or machine, to which the SQLite database and the images are copied within seconds of each change. It must exist. Empty: no continuous backup.',
    parse: text,
  },
  backupDays: {
    name: 'BACKUP_DAYS',
    fallback: '7',
    about: 'For how many days the continuous backup can be restored to any moment.',
    parse: whole(1, 3650),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    fallback: '',
    about: 'The PostgreSQL database, `postgres://user:password@host/name`. Empty: SQLite in `DATA_DIR`.',
    parse: databaseAddress,
  },
  databaseReplicaUrl: {
    name: 'DATABASE_REPLICA_URL',
    fallback: '',
    about:
      'A standby server of that database, `postgres://user:password@host/name`. Lists of pages and sites are read from it if it is up to date.',
    parse: databaseAddress,
  },
  databasePool: {
    name: 'DATABASE_POOL',
    fallback: '10',
    about:
      'The maximum number of connections to PostgreSQL per process. One account or network gets a third, and reads and writes leave each other a third. Large requests and changes of many pages use one more each.',
    parse: whole(2, 1000),
  },
  databaseTimeoutMs: {
    name: 'DATABASE_TIMEOUT',
    fallback: '10000',
    about:
      'The maximum time for an answer of PostgreSQL, in milliseconds. After that, the request is refused. If PostgreSQL has answered nothing at all for this time, all requests are refused at once until it answers again.',
    parse: whole(1000, 600_000),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    fallback: (values) => `${values.TLS_CERT ? 'https' : 'http'}://localhost:${port(values)}`,
    about:
      'The address at which people and programs reach the service. With `https`, API calls over plain HTTP are refused.',
    parse: publicAddress,
  },
  sitesDomain: {
    name: 'SITES_DOMAIN',
    fallback: (values) => `localhost:${port(values)}`,
    about: 'The domain below which every account has its subdomain, with the port if it is not the default one.',
    parse: domain,
  },
  sitesAddresses: {
    name: 'SITES_ADDRESSES',
    fallback: '',
    about:
      "The IPv4 and IPv6 addresses at which visitors reach the sites, separated by commas. Customers need them for domains without `www`. If this is empty, customers are shown none, and the service looks up the addresses of the sites' own hosts.",
    parse: ipAddresses,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    fallback: '',
    about:
      'The mail server, `smtp://user:password@host:587` or `smtps://…`. Empty: messages are kept as files in `DATA_DIR/mail`.',
    parse: smtpAddress,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    fallback: (values) => `no-reply@${hostOf(values.PUBLIC_URL)}`,
    about: "The sender's address. A name in `Name <address>` is ignored: the sender's name is that of the account.",
    parse: mailAddress,
  },
  dnsServers: {
    name: 'DNS_SERVERS',
    fallback: '',
    about:
      "The DNS servers for checking customers' domains: IP addresses, separated by commas, with a port if it is not 53. Empty: the system's servers.",
    parse: addresses,
  },
  tlsCert: {
    name: 'TLS_CERT',
    fallback: '',
    about: 'A PEM file with the certificate chain. If set, the service serves HTTPS itself.',
    parse: text,
  },
  tlsKey: { name: 'TLS_KEY', fallback: '', about: 'The PEM file with the key of `TLS_CERT`.', parse: text },
  trustProxy: {
    name: 'TRUST_PROXY',
    fallback: '',
    about:
      'The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: IP addresses, networks or `loopback`, separated by commas.',
    parse: networks,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    fallback: 'info',
    about: `The least severe messages that are logged: ${logLevels.join(', ')}. Requests are logged at info.`,
    parse: logLevel,
  },
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    about:
      'The OpenTelemetry collector to which traces are sent by OTLP, as JSON over HTTP: `http://localhost:4318`, to which `/v1/traces` is added. Empty: no traces are recorded.',
    parse: collectorAddress,
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: '',
    about:
      'Headers for the collector, such as a key: `name=value`, separated by commas, with the values percent-encoded.',
    parse: headerList,
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    fallback: 'freehold',
    about: 'The name of the service in traces.',
    parse: text,
  },
  tracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    fallback: 'parentbased_always_on',
    about: `Which traces are recorded: ${samplers.map((name) => `\`${name}\``).join(', ')}. With \`parentbased\`, the \`traceparent\` of a request decides, if it has one.`,
    parse: samplerName,
  },
  tracesSamplerArg: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    about: 'The fraction of traces that `traceidratio` records, from 0 to 1.',
    parse: ratio,
  },
  workers: {
    name: 'WORKERS',
    fallback: '1',
    about: 'The number of processes that serve the port.',
    parse: whole(1, 256),
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    fallback: '6000',
    about: 'The maximum number of requests per minute with one API key; 0 for no limit.',
    parse: whole(0, 1e9),
  },
  failedKeyLimit: {
    name: 'FAILED_KEY_LIMIT',
    fallback: '300',
    about: 'The maximum number of requests per minute with a wrong API key from one network address; 0 for no limit.',
    parse: whole(0, 1e9),
  },
  customersPerAddress: {
    name: 'CUSTOMERS_PER_ADDRESS',
    fallback: '50',
    about:
      'The maximum number of login instructions per day to one mail address, for new customers of each top-level account, and of all other accounts together; 0 for no limit.',
    parse: whole(0, 1e9),
  },
  connectionsPerAddress: {
    name: 'CONNECTIONS_PER_ADDRESS',
    fallback: '1000',
    about:
      'The maximum number of open connections from one network address; 0 for no limit. This machine and `TRUST_PROXY` are not limited.',
    parse: whole(0, 1e9),
  },
  metricsPort: {
    name: 'METRICS_PORT',
    fallback: '0',
    about:
      'A separate port for `/healthz`, `/readyz`, `/metrics` and `/internal/…`. 0: they are on `PORT`, for callers on this machine only.',
    parse: whole(0, 65535),
  },
  maxUrlBytes: {
    name: 'MAX_URL_BYTES',
    fallback: '1114112',
    about: 'The maximum length of a URL that creates something, in bytes. All other URLs may have 32 KiB.',
    parse: whole(1024 * 1024, 64 * 1024 * 1024),
  },
  maxBodyBytes: {
    name: 'MAX_BODY_BYTES',
    fallback: '20971520',
    about: 'The maximum size of a request body, in bytes.',
    parse: whole(16 * 1024 * 1024, 256 * 1024 * 1024),
  },
  cacheBytes: {
    name: 'CACHE_BYTES',
    fallback: '67108864',
    about: 'The memory for cached answers of the API per process, in bytes.',
    parse: whole(0, 64 * 1024 ** 3),
  },
  siteCacheBytes: {
    name: 'SITE_CACHE_BYTES',
    fallback: '67108864',
    about: 'The memory for cached pages of sites per process, in bytes.',
    parse: whole(0, 64 * 1024 ** 3),
  },
  siteMaxAgeSeconds: {
    name: 'SITE_MAX_AGE',
    fallback: '0',
    about: 'How long a shared cache, such as a CDN, may answer for a site without asking the service, in seconds.',
    parse: whole(0, 86_400),
  },
  mediaQuota: {
    name: 'MEDIA_QUOTA',
    fallback: '1073741824',
    about: 'The maximum size of all images of one account, in bytes.',
    parse: whole(0, 2 ** 50),
  },
  pageQuota: {
    name: 'PAGE_QUOTA',
    fallback: '1073741824',
    about: "The maximum size of all texts of one account's pages, including earlier versions and drafts, in bytes.",
    parse: whole(0, 2 ** 50),
  },
  mediaS3Url: {
    name: 'MEDIA_S3_URL',
    fallback: '',
    about:
      'The bucket for images in S3 or a compatible service, `https://s3.eu-central-1.amazonaws.com/BUCKET`. Empty: `DATA_DIR/media`.',
    parse: bucketAddress,
  },
  mediaS3Region: {
    name: 'MEDIA_S3_REGION',
    fallback: 'us-east-1',
    about: 'The region of the bucket.',
    parse: nonEmpty,
  },
  mediaS3Key: { name: 'MEDIA_S3_KEY', fallback: '', about: 'The id of the access key for the bucket.', parse: text },
  mediaS3Secret: { name: 'MEDIA_S3_SECRET', fallback: '', about: 'The secret of that access key.', parse: text },
  webhooksToPrivateNetworks: {
    name: 'WEBHOOKS_TO_PRIVATE_NETWORKS',
    fallback: 'false',
    about:
      'Whether webhooks, and the images of imported sites, may be at addresses in private networks and on this machine, and whether webhooks may use plain HTTP: `true` or `false`. For development, and where everybody who can sign in is trusted.',
    parse: trueOrFalse,
  },
  inContainer: {
    name: 'IN_CONTAINER',
    fallback: 'false',
    about:
      'Whether the service runs in a container that has the settings for all commands: `true` or `false`. The image sets it. Messages then show commands without settings.',
    parse: trueOrFalse,
  },
  requestTimeoutMs: {
    name: 'REQUEST_TIMEOUT',
    fallback: '120000',
    about: 'The maximum time a client may take to send a request, in milliseconds.',
    parse: whole(1000, 3_600_000),
  },
  stopTimeoutMs: {
    name: 'STOP_TIMEOUT',
    fallback: '30000',
    about: 'The maximum time that running requests may take to finish when the service stops, in milliseconds.',
    parse: whole(0, 3_600_000),
  },
};
