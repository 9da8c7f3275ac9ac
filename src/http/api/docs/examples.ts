import { exampleInput } from '../openapi.ts';
import type { ObjectSchema, Operation } from '../operation.ts';

/** The words that stand for the reader's own key in every example. */
export const PLACEHOLDER_KEY = 'YOUR_API_KEY';

/** A request as the examples show it. */
interface Request {
  method: Operation['method'];
  url: string;
  /** The operation's object and what of it is sent; undefined where nothing is. */
  input: { object: ObjectSchema['object']; fields: Array<[name: string, value: string]> } | undefined;
}

export interface Language {
  readonly id: string;
  readonly label: string;
  readonly write: (request: Request) => string;
}

/** Each language sends what comes to it most naturally: forms or JSON. All have the key in a header. */
export const languages: readonly Language[] = [
  { id: 'curl', label: 'curl', write: curl },
  { id: 'javascript', label: 'JavaScript', write: javascript },
  { id: 'python', label: 'Python', write: python },
  { id: 'php', label: 'PHP', write: php },
  { id: 'ruby', label: 'Ruby', write: ruby },
];

/** The operation's example request in a language, ready to be run once the key is put in. */
export function example(operation: Operation, publicUrl: string, { write }: Language): string {
  const { method, path } = operation;
  return write({
    method,
    url: publicUrl + path,
    input:
      'input' in operation
        ? { object: operation.input.object, fields: Object.entries(exampleInput(operation)) }
        : undefined,
  });
}

function curl({ url, input }: Request): string {
  const lines = [`curl ${shell(url)}`, `-H ${shell(`Authorization: Bearer ${PLACEHOLDER_KEY}`)}`];
  for (const [name, value] of input?.fields ?? []) {
    lines.push(`--data-urlencode ${shell(`${input!.object}[${name}]=${value}`)}`);
  }
  return lines.join(' \\\n  ');
}

function javascript({ method, url, input }: Request): string {
  const authorization = `Authorization: 'Bearer ${PLACEHOLDER_KEY}'`;
  if (!input) {
    return `const response = await fetch(${single(url)}, {
  headers: { ${authorization} },
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(await response.json());`;
  }
  return `const response = await fetch(${single(url)}, {
  method: '${method}',
  headers: {
    ${authorization},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    ${input.object}: {
${input.fields.map(([name, value]) => `      ${name}: ${single(value)},`).join('\n')}
    },
  }),
});
const result = await response.json();
if (!result.response) throw new Error(JSON.stringify(result.errors));`;
}

function python({ url, input }: Request): string {
  const headers = `headers={"Authorization": "Bearer ${PLACEHOLDER_KEY}"},`;
  if (!input) {
    return `import requests

response = requests.get(
    ${double(url)},
    ${headers}
    timeout=30,
)
response.raise_for_status()
print(response.json())`;
  }
  return `import requests

response = requests.post(
    ${double(url)},
    ${headers}
    json={
        "${input.object}": {
${input.fields.map(([name, value]) => `            "${name}": ${double(value)},`).join('\n')}
        }
    },
    timeout=30,
)
result = response.json()
if not result["response"]:
    raise SystemExit(result["errors"])`;
}

/** With streams, which every PHP has: its curl is an extension. */
function php({ method, url, input }: Request): string {
  const authorization = `'Authorization: Bearer ${PLACEHOLDER_KEY}'`;
  if (!input) {
    return `<?php
$context = stream_context_create(['http' => [
    'header' => ${authorization},
    'ignore_errors' => true,
]]);
$answer = file_get_contents(${single(url)}, false, $context);
$result = json_decode($answer, true);
print_r($result);`;
  }
  return `<?php
$context = stream_context_create(['http' => [
    'method' => '${method}',
    'header' => [
        ${authorization},
        'Content-Type: application/x-www-form-urlencoded',
    ],
    'content' => http_build_query([
        '${input.object}' => [
${input.fields.map(([name, value]) => `            '${name}' => ${single(value)},`).join('\n')}
        ],
    ]),
    'ignore_errors' => true,
]]);
$answer = file_get_contents(${single(url)}, false, $context);
$result = json_decode($answer, true);
if (!$result['response']) {
    throw new RuntimeException(json_encode($result['errors']));
}`;
}

function ruby({ method, url, input }: Request): string {
  const kind = method === 'GET' ? 'Get' : 'Post';
  const form = input
    ? `request.set_form_data(
${input.fields.map(([name, value]) => `  '${input.object}[${name}]' => ${single(value)},`).join('\n')}
)
`
    : '';
  const end = input ? `raise result['errors'].inspect unless result['response']` : 'pp result';
  return `require 'json'
require 'net/http'

uri = URI(${single(url)})
request = Net::HTTP::${kind}.new(uri)
request['Authorization'] = 'Bearer ${PLACEHOLDER_KEY}'
${form}response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|
  http.request(request)
end
result = JSON.parse(response.body)
${end}`;
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A string of JavaScript, PHP or Ruby. */
function single(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function double(text: string): string {
  return JSON.stringify(text);
}
