import { RETENTION_MS } from '../../../idempotency/run-once.ts';
import { MAX_PLAIN_URL_BYTES } from '../../request-problem.ts';
import { commonFailures, type DescribedConfig } from '../common-failures.ts';
import { PLACEHOLDER_KEY } from './examples.ts';
import { code, inline, json, table } from './markup.ts';

interface Section {
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
<p>You need an API key. The operator of this installation gives you one. Put it in place of
<code>${PLACEHOLDER_KEY}</code> and try:</p>
${code(`curl ${bearer} \\\n  '${publicUrl}/api/account.json'`, 'The first request')}
<p>The answer describes your account. Everything you do with the key happens on that account. All answers are JSON in UTF-8,
and every address below begins with <code>${publicUrl}</code>.</p>
<p>The same reference exists as an <a href="openapi.json">OpenAPI 3.1 document</a> for Postman, Insomnia and client
generators.</p>`,
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
<p>Prefer the header, because URLs end up in the logs of proxies, in histories and in error reports. If you send both, they
must be the same key; two different keys count as none. An <code>api_key</code> in a body is ignored.</p>
<p>The key is checked before anything else. A missing, unknown, revoked or expired key gets a <code>401</code>. Anybody with
the key can do everything on this page, so keep it on your server and out of web pages and apps${
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
<p>The fields of a creation go into the query string, or into a body in one of three forms. These requests do the same:</p>
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
<li>Use a body for long texts, like a page’s HTML, and for secrets, like a password.</li>
<li>If a field is in both query and body, the body wins.</li>
<li>Brackets may be percent-encoded or not; <code>+</code> and <code>%20</code> are both spaces.</li>
<li>Text is UTF-8. Broken encoding is malformed.</li>
<li>In multipart forms, fields are text; a field sent as a file is malformed.</li>
<li>Unknown fields are ignored. A known field that comes twice, or as a list or an object, is malformed.</li>
</ul>`,
  };
}

function outcomes(config: DescribedConfig): Section {
  const rows = [
    [200, 'The request succeeded.'],
    [400, 'The creation is malformed. <code>errors</code> is a text.'],
    [404, 'There is nothing at this path.'],
    [405, 'The path does not take this method; <code>Allow</code> names those it takes.'],
    [422, 'The creation breaks rules, and nothing was created. <code>errors</code> lists every broken rule.'],
    ...commonFailures(config).map(({ status, response }) => [status, inline(response.description)] as const),
  ] as Array<readonly [number, string]>;
  rows.sort(([a], [b]) => a - b);
  return {
    id: 'errors',
    title: 'Errors and statuses',
    html: `
<p>The status tells the outcome. Answers to creations, and all failures, also tell it in the body, with
<code>response</code> and <code>errors</code>:</p>
${json({ response: false, errors: [['name', 'has already been taken']] }, 'A page whose name is taken')}
<p>A proxy in front of the service may answer <code>502</code> or <code>504</code> by itself, for example during a restart. Such
an answer is not JSON, so look at the status first. Retry the same request only after <code>429</code>, <code>500</code>,
<code>502</code>, <code>503</code>, <code>504</code>, or a broken connection. Send creations with an
<a href="#idempotency">Idempotency-Key</a>.</p>
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
<p>When a connection breaks, you cannot know whether the page was created. If you send an <code>Idempotency-Key</code> with
every creation, you can simply send it again:</p>
${code(
  `curl ${bearer} '${publicUrl}/api/pages.json' \\
  -H 'Idempotency-Key: 7d9f1c1e-3c1b-4a86-9f0d-2f6f2f8f6c55' \\
  --data-urlencode 'page[name]=Opening hours'`,
  'A creation with an Idempotency-Key',
)}
<ul>
<li>Choose a new random key for each thing to be created, and the same key for each try.</li>
<li>For ${hours} hours, the same request with the same key gets the first answer again, and nothing is created twice.
This is true for a <code>422</code> as well: after you have corrected a request, use a new key.</li>
<li>The same key with other fields gets a <code>422</code> for <code>idempotency_key</code>.</li>
<li>A key has 1 to 255 printable ASCII characters without spaces. It belongs to your API key: keys of other programs do not
clash with it.</li>
</ul>`,
  };
}

function caching({ publicUrl }: DescribedConfig): Section {
  return {
    id: 'caching',
    title: 'Caching and compression',
    html: `
<p>Answers to <code>GET</code> carry an <code>ETag</code>. Send it back as <code>If-None-Match</code>. If nothing has
changed, the answer is a <code>304</code> without a body.</p>
${code(
  `curl -i ${bearer} \\
  -H 'If-None-Match: W/"1-12-34"' \\
  '${publicUrl}/api/pages.json'`,
  'A request for what has changed',
)}
<p>Send <code>Accept-Encoding: gzip</code> or <code>br</code> to receive larger answers compressed. Most HTTP clients do this by
themselves; <code>curl</code> does it with <code>--compressed</code>. <code>HEAD</code> works wherever <code>GET</code>
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
      'Customers with one mail address',
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
<p>If requests are limited, each answer tells you how many are left: <code>RateLimit: "default";r=5998;t=42</code> means
that 5,998 requests are left for the next 42 seconds. A <code>429</code> carries <code>Retry-After</code> with the
seconds to wait.</p>
<p>Proxies and HTTP libraries often have smaller limits for URLs, some at 8,000 bytes. So send long texts in a body.</p>`,
  };
}

function requestIds({ publicUrl }: DescribedConfig): Section {
  return {
    id: 'request-ids',
    title: 'Request ids',
    html: `
<p>Every answer carries an <code>X-Request-Id</code>. Log it: with it, the operator can find your request. You may send
your own, with up to 64 letters, digits and <code>_ . : -</code>:</p>
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
