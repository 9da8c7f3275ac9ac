import { RETENTION_MS } from '../../../idempotency/run-once.ts';
import { MAX_PLAIN_URL_BYTES } from '../../request-problem.ts';
import { commonFailures, type DescribedConfig } from '../common-failures.ts';
import { PLACEHOLDER_KEY } from './examples.ts';
import { code, inline, json, table } from './markup.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

/** What holds for every operation. */
export function guide(config: DescribedConfig): Section[] {
  return [
    start(config),
    authentication(config),
    requests(config),
    outcomes(config),
    idempotency(config),
    caching(config),
    limits(config),
    requestIds(config),
  ];
}

const bearer = `-H 'Authorization: Bearer ${PLACEHOLDER_KEY}'`;

function start({ publicUrl }: DescribedConfig): Section {
  return {
    id: 'start',
    title: 'Start here',
    html: `
<p>You need an API key, which you get from whoever runs this installation. Put it in place of
<code>${PLACEHOLDER_KEY}</code> and try:</p>
${code(`curl ${bearer} \\\n  '${publicUrl}/api/account.json'`, 'The first request')}
<p>An account comes back: yours. Everything you do with the key, you do on that account. All answers are JSON in UTF-8,
and every address below begins with <code>${publicUrl}</code>.</p>
<p>For programs there is the same as an <a href="openapi.json">OpenAPI 3.1 document</a>, which Postman, Insomnia and
client generators read.</p>`,
  };
}

function authentication({ publicUrl }: DescribedConfig): Section {
  return {
    id: 'authentication',
    title: 'Authentication',
    html: `
<p>Send the key in the <code>Authorization</code> header, or as the query parameter <code>api_key</code>:</p>
${code(
  `# Better: in a header
curl ${bearer} '${publicUrl}/api/pages.json'

# Just as valid: in the URL
curl '${publicUrl}/api/pages.json?api_key=${PLACEHOLDER_KEY}'`,
  'Two ways to send the key',
)}
<p>The header is the better way, because URLs end up where a key should not: in the logs of proxies, in histories, in
error reports. If you send both, they must be the same key; two different keys count as none. In a body,
<code>api_key</code> is not read.</p>
<p>The key is checked before anything else of the request. One that is missing, unknown, revoked or expired gets a
<code>401</code>. Whoever holds the key can do all that is on this page, so keep it on your server and out of web pages
and apps${
      publicUrl.startsWith('https:')
        ? '; a key that is sent over plain HTTP is refused with a <code>403</code> and should be replaced'
        : ''
    }.</p>`,
  };
}

function requests({ publicUrl }: DescribedConfig): Section {
  const url = `${publicUrl}/api/pages.json`;
  return {
    id: 'requests',
    title: 'Request encodings',
    html: `
<p>The fields of a creation go into the query string, or into a body in any of three forms. These requests are all the
same:</p>
${code(
  `# In the query
curl ${bearer} -X POST \\
  '${url}?page%5Bname%5D=Opening+hours'

# As a form
curl ${bearer} '${url}' \\
  --data-urlencode 'page[name]=Opening hours'

# As a multipart form
curl ${bearer} '${url}' \\
  -F 'page[name]=Opening hours'

# As JSON
curl ${bearer} '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '{"page": {"name": "Opening hours"}}'`,
  'Four encodings of one request',
)}
<ul>
<li>Use a body for what is long, like a page’s HTML, and for what is secret, like a password.</li>
<li>Where query and body both name a field, the body wins.</li>
<li>Brackets may be percent-encoded or not; <code>+</code> and <code>%20</code> are both spaces.</li>
<li>Text is UTF-8. Broken encoding is malformed.</li>
<li>In multipart forms, fields are text; a field sent as a file is malformed.</li>
<li>Unknown fields are ignored. A known field that comes twice, or as a list or an object, is malformed.</li>
</ul>`,
  };
}

function outcomes(config: DescribedConfig): Section {
  const rows = [
    [200, 'The request did what it was to do.'],
    [400, 'A creation is malformed: it cannot be understood. <code>errors</code> is a text.'],
    [404, 'There is nothing at this path.'],
    [405, 'The path does not take this method; <code>Allow</code> names those it takes.'],
    [
      422,
      'A creation breaks rules, and nothing was created. <code>errors</code> is a list, of every rule that was broken.',
    ],
    ...commonFailures(config).map(({ status, response }) => [status, inline(response.description)] as const),
  ] as Array<readonly [number, string]>;
  rows.sort(([a], [b]) => a - b);
  return {
    id: 'errors',
    title: 'Errors and statuses',
    html: `
<p>The status says how it went. The answers to creations, and all failures, say it in the body too, with
<code>response</code> and <code>errors</code>:</p>
${json({ response: false, errors: [['name', 'has already been taken']] }, 'A page whose name is taken')}
<p>A proxy in front of the service may answer <code>502</code> or <code>504</code> by itself, while the service is started
anew, say: not in JSON, so look at the status first.
Only <code>429</code>, <code>500</code>, <code>502</code>, <code>503</code> and <code>504</code>, and a connection that
breaks, are worth another try with the same request; for creations, send an <a href="#idempotency">Idempotency-Key</a> with it.</p>
${table(
  'Statuses',
  ['Status', 'Meaning'],
  rows.map(([status, meaning]) => [`<code>${status}</code>`, meaning]),
)}`,
  };
}

function idempotency({ publicUrl }: DescribedConfig): Section {
  const hours = RETENTION_MS / 3_600_000;
  return {
    id: 'idempotency',
    title: 'Idempotency',
    html: `
<p>When a connection breaks, you cannot know whether the page was created. Send an <code>Idempotency-Key</code> with
every creation, and you can simply send it again:</p>
${code(
  `curl ${bearer} '${publicUrl}/api/pages.json' \\
  -H 'Idempotency-Key: 7d9f1c1e-3c1b-4a86-9f0d-2f6f2f8f6c55' \\
  --data-urlencode 'page[name]=Opening hours'`,
  'A creation with an Idempotency-Key',
)}
<ul>
<li>Choose a new random key for each thing to be created, and the same key for each try.</li>
<li>For ${hours} hours, the same request with the same key gets the answer of the first one, and nothing is created twice.
That holds for a <code>422</code> as well: after correcting a request, use a new key.</li>
<li>The same key with other fields gets a <code>422</code>, naming <code>idempotency_key</code>.</li>
<li>Keys are 1 to 255 printable ASCII characters without spaces, and belong to your API key: nobody else’s can clash
with them.</li>
</ul>`,
  };
}

function caching({ publicUrl }: DescribedConfig): Section {
  return {
    id: 'caching',
    title: 'Caching and compression',
    html: `
<p>Answers to <code>GET</code> carry an <code>ETag</code>. Send it back as <code>If-None-Match</code>: as long as nothing
has changed, the answer is a <code>304</code> without a body, however large your page tree is.</p>
${code(
  `curl -i ${bearer} \\
  -H 'If-None-Match: W/"1-12-34"' \\
  '${publicUrl}/api/pages.json'`,
  'A request for what has changed',
)}
<p>Say <code>Accept-Encoding: gzip</code> or <code>br</code> to have larger answers compressed; most HTTP clients do it
unasked, and <code>curl</code> with <code>--compressed</code>. <code>HEAD</code> works wherever <code>GET</code>
does.</p>`,
  };
}

function limits(config: DescribedConfig): Section {
  const { maxUrlBytes, maxBodyBytes, rateLimit, failedKeyLimit, customersPerAddress } = config;
  const rows = [
    [
      'Requests of one API key',
      rateLimit > 0 ? `${number(rateLimit)} a minute` : 'not limited',
      rateLimit > 0 ? '<code>429</code>' : '',
    ],
    [
      'Requests with a wrong key from one address',
      failedKeyLimit > 0 ? `${number(failedKeyLimit)} a minute` : 'not limited',
      failedKeyLimit > 0 ? '<code>429</code>' : '',
    ],
    [
      'Customers with one mail address, which is mailed for each',
      customersPerAddress > 0 ? `${number(customersPerAddress)} a day` : 'not limited',
      customersPerAddress > 0 ? '<code>429</code>' : '',
    ],
    ['Length of a URL that creates something', `${number(maxUrlBytes)} bytes`, '<code>414</code> or <code>431</code>'],
    ['Length of any other URL', `${number(MAX_PLAIN_URL_BYTES)} bytes`, '<code>414</code> or <code>431</code>'],
    ['Size of a body', `${number(maxBodyBytes)} bytes`, '<code>413</code>'],
  ];
  return {
    id: 'limits',
    title: 'Limits',
    html: `
${table('Limits', ['What', 'Limit', 'Beyond it'], rows)}
<p>Where requests are limited, each answer tells you where you stand: <code>RateLimit: "default";r=5998;t=42</code> means
that 5,998 requests are left for the next 42 seconds. A <code>429</code> carries <code>Retry-After</code> with the
seconds to wait.</p>
<p>Proxies and HTTP libraries often have limits of their own for URLs, some at 8,000 bytes: another reason to send long
texts in a body.</p>`,
  };
}

function requestIds({ publicUrl }: DescribedConfig): Section {
  return {
    id: 'request-ids',
    title: 'Request ids',
    html: `
<p>Every answer carries an <code>X-Request-Id</code>. Log it: with it, whoever runs this installation finds your request
among all others. You may send one of your own, up to 64 letters, digits and <code>_ . : -</code>, and it is kept:</p>
${code(
  `curl -i ${bearer} \\
  -H 'X-Request-Id: nightly-import.42' \\
  '${publicUrl}/api/account.json'`,
  'A request with an id of its own',
)}`,
  };
}

function number(value: number): string {
  return value.toLocaleString('en');
}
