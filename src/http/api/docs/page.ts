import { escapeHtml } from '../../../html.ts';
import type { DescribedConfig, Response } from '../common-failures.ts';
import type { Parameter } from '../header-parameters.ts';
import type { Schema } from '../json-schema.ts';
import { type DescribedOperation, openApi } from '../openapi.ts';
import { operations } from '../operations.ts';
import { example, languages } from './examples.ts';
import { guide } from './guide.ts';
import { code, fieldName, inline, json, plain, table } from './markup.ts';

/** Returns the documentation page: the OpenAPI document with the general chapters of the guide. */
export function docsPage(config: DescribedConfig): string {
  const document = openApi(config);
  // Every link on the page is relative to it, because a proxy may serve it below a path.
  const [first, ...rest] = guide(config.publicUrl);
  const found = operations.map(({ path, method }) => ({
    path,
    method,
    operation: document.paths[path]![method.toLowerCase()]!,
  }));
  const host = escapeHtml(new URL(config.publicUrl).host);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(document.info.summary)}">
<title>${document.info.title} · ${host}</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/docs.css">
<script src="docs/docs.js" type="module"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="brand"><img src="docs/icon.svg" alt="" width="28" height="28"> <span>${document.info.title}</span>
<small>${document.info.version}</small></p>
<nav aria-label="Contents">
<ul aria-label="Introduction">
${contentsEntry(first!)}
</ul>
<h2 id="nav-operations">Operations</h2>
<ul aria-labelledby="nav-operations">
${found.map(({ method, operation }) => `<li><a href="#${operation.operationId}">${operation.summary} <small class="method ${method.toLowerCase()}">${method}</small></a></li>`).join('\n')}
</ul>
<h2 id="nav-guide">Guide</h2>
<ul aria-labelledby="nav-guide">
${rest.map(contentsEntry).join('\n')}
</ul>
<ul class="files"><li><a href="openapi.json">openapi.json</a></li></ul>
</nav>
</header>
<main id="content" tabindex="-1">
<section class="intro">
<h1>${document.info.title}</h1>
<p class="lead">${escapeHtml(document.info.summary)} Plain JSON, one key.</p>
</section>
${section(first!)}
${found.map(({ path, method, operation }) => operationSection(document, config, path, method, operation)).join('\n')}
${rest.map(section).join('\n')}
</main>
</body>
</html>
`;
}

type Document = ReturnType<typeof openApi>;

function contentsEntry({ id, title }: { id: string; title: string }): string {
  return `<li><a href="#${id}">${title}</a></li>`;
}

function section({ id, title, html }: { id: string; title: string; html: string }): string {
  return `<section id="${id}">
<h2><a href="#${id}">${title}</a></h2>
${html}
</section>`;
}

function operationSection(
  document: Document,
  { publicUrl }: DescribedConfig,
  path: string,
  method: string,
  operation: DescribedOperation,
): string {
  const { operationId, summary, description, security } = operation;
  const scope = security[0]!.bearer![0]!;
  return `<section id="${operationId}" class="operation">
<h2><a href="#${operationId}">${summary}</a></h2>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code><span class="base">${escapeHtml(publicUrl)}</span><wbr>${path}</code></p>
<p>${inline(description)}</p>
<p>A key that is limited to scopes needs <code>${scope}</code>.</p>
<h3>Parameters</h3>
${parameterTable(document, operation)}
<h3>Example</h3>
${exampleTabs(operation, publicUrl)}
<h3>Responses</h3>
${answers(document, operation)}
${answerTable(document, operation)}
</section>`;
}

function parameterTable(document: Document, { summary, parameters, requestBody }: DescribedOperation): string {
  const { apiKey } = document.components.securitySchemes;
  const required = requestBody?.content['application/x-www-form-urlencoded']?.schema.required ?? [];
  const rows = [
    [
      fieldName(apiKey.name),
      'string',
      'yes',
      'Your API key, unless you send it in the <code>Authorization</code> header, <a href="#requests">which is better</a>.',
    ],
    ...files(requestBody),
    ...members(document, requestBody),
    ...parameters
      .map((parameter) => resolve<Parameter>(document, parameter))
      .map(({ name, in: place, schema, description }) => [
        fieldName(name),
        place === 'query' ? String(schema.type) : place,
        place === 'path' || required.includes(name) ? 'yes' : 'no',
        place === 'path' ? inline(description) : meaning(document, name, place, schema),
      ]),
  ];
  return table(`Parameters: ${summary}`, ['Name', 'Type', 'Required', 'Meaning'], rows);
}

function files(body: DescribedOperation['requestBody']): string[][] {
  const { properties = {} } = body?.content['multipart/form-data']?.schema ?? {};
  return Object.entries(properties)
    .filter(([, { format }]) => format === 'binary')
    .map(([name, { description = '' }]) => [fieldName(name), 'file', 'yes', inline(description)]);
}

/**
 * Returns table rows for the members of a JSON document that is the body. Returns none if the body is a form of the fields
 * in the query.
 */
function members(document: Document, body: DescribedOperation['requestBody']): string[][] {
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = body?.content ?? {};
  if (!json || form) return [];
  const { properties = {}, required = [] } = resolve<Schema>(document, json.schema as { $ref: string });
  return Object.entries(properties).map(([name, schema]) => [
    fieldName(name),
    typeOf(schema),
    required.includes(name) ? 'yes' : 'no',
    inline(`${schema.description} In the body, as JSON.`),
  ]);
}

function meaning(document: Document, name: string, place: string, schema: Schema): string {
  if (place === 'header') {
    const { description } = document.components.parameters[name as keyof Document['components']['parameters']];
    return inline(description);
  }
  return inline(`${schema.description} ${rules(schema)}`.trim());
}

/** Describes the rules of a schema: its allowed values and maximum length. */
function rules({ enum: allowed, maxLength }: Schema): string {
  const words: string[] = [];
  if (allowed) {
    const values = allowed.filter((value) => value !== '').map((value) => `\`${value}\``);
    words.push(`One of ${values.join(', ')}.`);
  }
  if (maxLength) words.push(`At most ${maxLength} characters.`);
  return words.join(' ');
}

function exampleTabs({ operationId, summary }: DescribedOperation, publicUrl: string): string {
  const operation = operations.find(({ id }) => id === operationId)!;
  const tabs = languages.map(({ id, label }, index) => {
    const input = `${operationId}-${id}`;
    return `<input type="radio" name="${operationId}-language" id="${input}" value="${id}"${index === 0 ? ' checked' : ''}><label for="${input}">${label}</label>`;
  });
  const blocks = languages.map((language) =>
    code(example(operation, publicUrl, language), `${summary} in ${language.label}`, language.id),
  );
  return `<fieldset class="languages">
<legend class="unseen">Language of the example</legend>
${tabs.join('\n')}
${blocks.join('\n')}
</fieldset>`;
}

/** Returns the operation's own answers, and then the answers that any request may get, in a closed section. */
function answers(document: Document, { responses }: DescribedOperation): string {
  const own: string[] = [];
  const common: string[] = [];
  const statuses: string[] = [];
  for (const [status, reference] of Object.entries(responses)) {
    const response = resolve<Response>(document, reference);
    if (!('$ref' in reference)) {
      own.push(answer(status, response, true));
    } else {
      common.push(answer(status, response, false));
      statuses.push(status);
    }
  }
  return `${own.join('\n')}
<details class="common">
<summary>Any request may also get ${statuses.join(', ')}</summary>
${common.join('\n')}
</details>`;
}

function answer(status: string, { description, content, headers }: Response, own: boolean): string {
  const [type, { example } = {}] = Object.entries(content ?? {})[0] ?? [];
  const label = `Answer ${status}`;
  const body =
    type === undefined ? '' : type === 'application/json' ? json(example, label) : plain(String(example), label);
  const shown = Object.keys(headers).filter((name) => !own && name !== 'X-Request-Id');
  const note =
    shown.length > 0 ? `<p class="headers">With ${shown.map((name) => `<code>${name}</code>`).join(', ')}.</p>` : '';
  return `<div class="answer">
<p><span class="status s${status[0]}">${status}</span> <span>${inline(description)}</span></p>
${body}${note}
</div>`;
}

/** Returns a table of the fields of the object that the operation lists or returns. */
function answerTable(document: Document, { responses }: DescribedOperation): string {
  const success = resolve<Response>(document, responses[200]!);
  const described = success.content!['application/json'];
  if (!described) return '';
  const wrapper = resolve<Schema>(document, described.schema as { $ref: string });
  const inner = Object.values(wrapper.properties ?? {})
    .map((schema) => schema.$ref ?? (schema.items || undefined)?.$ref)
    .find((found) => found !== undefined);
  if (!inner) return '';
  const name = inner.split('/').at(-1)!;
  const { properties } = resolve<Schema>(document, { $ref: inner });
  const rows = Object.entries(properties ?? {}).map(([field, schema]) => [
    fieldName(field),
    typeOf(schema),
    inline(schema.description ?? ''),
  ]);
  return `<h3>Fields of ${name}</h3>
${table(`Fields: ${name}`, ['Field', 'Type', 'Meaning'], rows)}`;
}

function typeOf({ type, items }: Schema): string {
  const inner = (items || undefined)?.$ref;
  if (inner) return `array of ${inner.split('/').at(-1)}`;
  return [type].flat().join(' or ');
}

/** Returns the value that a reference within the document points to. */
function resolve<T>(document: Document, value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  return value.$ref
    .split('/')
    .slice(1)
    .reduce((place: unknown, name) => (place as Record<string, unknown>)[name], document) as T;
}
