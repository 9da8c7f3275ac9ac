import { exampleIds } from '../openapi.ts';
import { exampleInput } from '../openapi-requests.ts';
import type { ObjectSchema, Operation } from '../operation.ts';

/** The placeholder for the reader's key in every example. */
export const PLACEHOLDER_KEY = 'YOUR_API_KEY';

/** The name of the file that the examples send. */
export const FILE = 'photo.jpg';

/** A request to write as an example. */
interface Request {
  method: Operation['method'];
  url: string;
  /** The object that the file belongs to, or undefined for operations without a file. */
  upload: ObjectSchema['object'] | undefined;
  /** The operation's object and the fields to send, or undefined if there are none. */
  input: { object: ObjectSchema['object']; fields: Array<[name: string, value: string]> } | undefined;
  /** The document to send, as JSON, or undefined for operations without one. */
  document: string | undefined;
  /** True if the answer is text rather than JSON. */
  isText: boolean;
}

export interface Language {
  readonly id: string;
  readonly label: string;
  readonly write: (request: Request) => string;
}

/** The languages of the examples. Each sends forms or JSON, whichever is more natural in it. All send the key in a header. */
export const languages: readonly Language[] = [
  { id: 'curl', label: 'curl', write: curl },
  { id: 'javascript', label: 'JavaScript', write: javascript },
  { id: 'python', label: 'Python', write: python },
  { id: 'php', label: 'PHP', write: php },
  { id: 'ruby', label: 'Ruby', write: ruby },
];

/** Returns the operation's example request in a language. It runs once the reader's key is inserted. */
export function example(operation: Operation, publicUrl: string, { write }: Language): string {
  const { method, path } = operation;
  const fields = 'input' in operation && operation.input ? Object.entries(exampleInput(operation)) : [];
  const document = 'document' in operation ? operation.document?.example : undefined;
  return write({
    method,
    url: publicUrl + path.replace('{id}', exampleIds[operation.tag] ?? ''),
    upload: 'upload' in operation ? operation.upload.object : undefined,
    input:
      'input' in operation && operation.input && fields.length > 0
        ? { object: operation.input.object, fields }
        : undefined,
    document: document && JSON.stringify(document, null, 2),
    isText: 'contentType' in operation && operation.contentType !== undefined,
  });
}

function curl({ method, url, upload, input, document }: Request): string {
  const isImplied = method === (input || upload || document ? 'POST' : 'GET');
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}${shell(url)}`,
    `-H ${shell(`Authorization: Bearer ${PLACEHOLDER_KEY}`)}`,
  ];
  for (const [name, value] of input?.fields ?? []) {
    lines.push(`--data-urlencode ${shell(`${input!.object}[${name}]=${value}`)}`);
  }
  if (upload) lines.push(`-F ${shell(`${upload}[file]=@${FILE}`)}`);
  if (document) lines.push("-H 'Content-Type: application/json'", `-d ${shell(document)}`);
  return lines.join(' \\\n  ');
}

function javascript({ method, url, upload, input, document, isText }: Request): string {
  const authorization = `Authorization: 'Bearer ${PLACEHOLDER_KEY}'`;
  const methodLine = method === 'GET' ? '' : `  method: '${method}',\n`;
  const body = input
    ? `{
    ${input.object}: {
${input.fields.map(([name, value]) => `      ${name}: ${single(value)},`).join('\n')}
    },
  }`
    : document?.replaceAll('\n', '\n  ');
  const headers = body
    ? `  headers: {
    ${authorization},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${body}),`
    : `  headers: { ${authorization} },`;
  const end =
    method === 'GET'
      ? `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(await response.${isText ? 'text' : 'json'}());`
      : `const result = await response.json();
if (!result.response) throw new Error(JSON.stringify(result.errors));${upload ? `\nconsole.log(result.${upload}.src);` : ''}`;
  const form = upload
    ? `const { openAsBlob } = await import('node:fs');
const form = new FormData();
form.append('${upload}[file]', await openAsBlob('${FILE}'), '${FILE}');
`
    : '';
  return `${form}const response = await fetch(${single(url)}, {
${methodLine}${headers}${upload ? '\n  body: form,' : ''}
});
${end}`;
}

function python({ method, url, upload, input, document, isText }: Request): string {
  const file = upload ? `    files={"${upload}[file]": open("${FILE}", "rb")},\n` : '';
  const body = input
    ? `{
        "${input.object}": {
${input.fields.map(([name, value]) => `            "${name}": ${double(value)},`).join('\n')}
        }
    }`
    : document?.replaceAll('\n', '\n    ');
  const json = body ? `    json=${body},\n` : '';
  const end =
    method === 'GET'
      ? `response.raise_for_status()
print(response.${isText ? 'text' : 'json()'})`
      : `result = response.json()
if not result["response"]:
    raise SystemExit(result["errors"])${upload ? `\nprint(result["${upload}"]["src"])` : ''}`;
  return `import requests

response = requests.${method.toLowerCase()}(
    ${double(url)},
    headers={"Authorization": "Bearer ${PLACEHOLDER_KEY}"},
${json}${file}    timeout=30,
)
${end}`;
}

/** Uses streams, which are part of every PHP; curl is an extension. */
function php({ method, url, upload, input, document, isText }: Request): string {
  const authorization = `'Authorization: Bearer ${PLACEHOLDER_KEY}'`;
  const methodLine = method === 'GET' ? '' : `    'method' => '${method}',\n`;
  const headers = input
    ? `    'header' => [
        ${authorization},
        'Content-Type: application/x-www-form-urlencoded',
    ],
    'content' => http_build_query([
        '${input.object}' => [
${input.fields.map(([name, value]) => `            '${name}' => ${single(value)},`).join('\n')}
        ],
    ]),`
    : upload
      ? `    'header' => [
        ${authorization},
        'Content-Type: application/octet-stream',
    ],
    'content' => file_get_contents('${FILE}'),`
      : document
        ? `    'header' => [
        ${authorization},
        'Content-Type: application/json',
    ],
    'content' => ${single(document)},`
        : `    'header' => ${authorization},`;
  const end =
    method === 'GET'
      ? isText
        ? 'echo $answer;'
        : 'print_r($result);'
      : `if (!$result['response']) {
    throw new RuntimeException(json_encode($result['errors']));
}${upload ? `\necho $result['${upload}']['src'];` : ''}`;
  return `<?php
$context = stream_context_create(['http' => [
${methodLine}${headers}
    'ignore_errors' => true,
]]);
$answer = file_get_contents(${single(upload ? `${url}?${upload}[name]=${FILE}` : url)}, false, $context);
${isText ? '' : '$result = json_decode($answer, true);\n'}${end}`;
}

function ruby({ method, url, upload, input, document, isText }: Request): string {
  const kind = method[0] + method.slice(1).toLowerCase();
  const form = input
    ? `request.set_form_data(
${input.fields.map(([name, value]) => `  '${input.object}[${name}]' => ${single(value)},`).join('\n')}
)
`
    : upload
      ? `request.set_form([['${upload}[file]', File.open('${FILE}')]], 'multipart/form-data')\n`
      : document
        ? `request['Content-Type'] = 'application/json'\nrequest.body = ${single(document)}\n`
        : '';
  const end =
    method === 'GET'
      ? isText
        ? 'puts response.body'
        : 'pp result'
      : `raise result['errors'].inspect unless result['response']${upload ? `\nputs result['${upload}']['src']` : ''}`;
  return `${isText ? '' : "require 'json'\n"}require 'net/http'

uri = URI(${single(url)})
request = Net::HTTP::${kind}.new(uri)
request['Authorization'] = 'Bearer ${PLACEHOLDER_KEY}'
${form}response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|
  http.request(request)
end
${isText ? '' : 'result = JSON.parse(response.body)\n'}${end}`;
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a string literal for JavaScript, PHP or Ruby. */
function single(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function double(text: string): string {
  return JSON.stringify(text);
}
