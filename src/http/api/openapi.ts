import { readFileSync } from 'node:fs';
import type { Scope } from '../../api-keys/scopes.ts';
import {
  type CommonFailure,
  commonFailures,
  type DescribedConfig,
  headerRefs,
  keyedHeaders,
  type Response,
} from './common-failures.ts';
import { headerParameters, type Parameter } from './header-parameters.ts';
import { exampleOf, failureSchema, ref, refusedSchema, type Schema } from './json-schema.ts';
import { bodyOf, component, inputSchema, parametersOf } from './openapi-requests.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { headers } from './response-headers.ts';

export interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Array<Record<string, string[]>>;
  parameters: Array<Parameter | { $ref: string }>;
  requestBody?: {
    required: false;
    description: string;
    content: Record<string, { schema: Schema; example: unknown }>;
  };
  responses: Record<string, Response | { $ref: string }>;
}

export const version: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

/** The ids in examples, by the tags of their operations. */
export const exampleIds: Readonly<Record<string, string>> = {
  Customers: 'account_12',
  Plans: 'plan_12',
  'Price changes': 'change_12',
  Pages: 'page_12',
  Revisions: 'revision_12',
  Redirects: 'redirect_12',
  Images: 'media_12',
  Keys: 'key_12',
  Domains: 'domain_12',
  Users: 'user_12',
  Webhooks: 'webhook_12',
};

/** Returns the OpenAPI document of an installation, made from the same tables that the routes use. */
export function openApi(config: DescribedConfig) {
  const failures = commonFailures(config);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Website API',
      version,
      summary: 'Customer accounts, pages and revenue of a website service.',
      description: `Every operation acts on the account that owns the API key. Documentation with examples in five languages: ${config.publicUrl}/api/docs`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Documentation with examples', url: `${config.publicUrl}/api/docs` },
    servers: [{ url: config.publicUrl }],
    tags: [
      { name: 'Customers', description: 'Accounts that are customers of yours.' },
      { name: 'Plans', description: 'The plans that you sell to your customers.' },
      { name: 'Price changes', description: 'New prices of plans, and price changes scheduled for a later day.' },
      { name: 'Pages', description: "The pages of your account's site." },
      { name: 'Revisions', description: 'Earlier contents of pages.' },
      { name: 'Redirects', description: 'Paths of the site that redirect to pages.' },
      { name: 'Images', description: 'Images in the texts of pages.' },
      { name: 'Domains', description: "Domains of your account's site." },
      { name: 'Users', description: 'The users of your account.' },
      { name: 'Settings', description: 'The settings of your account and the look of its site.' },
      { name: 'Events', description: 'Changes that were made in your account.' },
      { name: 'Webhooks', description: 'Addresses to which the events of your account are sent.' },
      { name: 'Keys', description: "API keys of your account, and of your customers' accounts." },
      { name: 'Revenue', description: 'Recurring revenue from your customers, and what changed it.' },
      { name: 'Account', description: 'Your account itself.' },
    ],
    paths: paths(failures),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Preferred: unlike a URL, this header does not end up in logs and histories.',
        },
        apiKey: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The API key in the query string.' },
      },
      parameters: headerParameters,
      headers,
      responses: Object.fromEntries(failures.map((failure) => [failure.name, failure.response])),
      schemas: {
        ...inputSchemas,
        ...responseSchemas,
      },
    },
  };
}

const inputSchemas = Object.fromEntries(
  operations.flatMap((operation) =>
    'input' in operation && operation.input
      ? [[operation.input.name, inputSchema(operation.input, (name) => name)]]
      : [],
  ),
);

const responseSchemas: Readonly<Record<string, Schema>> = Object.assign(
  {},
  ...operations.map(({ schemas }) => schemas),
  { Failure: failureSchema, Refused: refusedSchema },
);

function paths(failures: readonly CommonFailure[]) {
  const result: Record<string, Record<string, DescribedOperation>> = {};
  for (const operation of operations) {
    result[operation.path] = {
      ...result[operation.path],
      [operation.method.toLowerCase()]: describe(operation, failures),
    };
  }
  return result;
}

function describe(operation: Operation, failures: readonly CommonFailure[]): DescribedOperation {
  const { id, method, path, tag, scope, summary, description } = operation;
  const contentType = 'contentType' in operation ? operation.contentType : undefined;
  const hasETag = method === 'GET' && contentType === undefined;
  const byStatus = Map.groupBy(operation.answers, ({ status }) => status);
  const responses = [...byStatus].map(([status, answers]): [number, Response | { $ref: string }] => [
    status,
    {
      description: answers.map((answer) => answer.description).join(' '),
      headers: headerRefs([
        ...(hasETag && status === 200 ? ['ETag'] : []),
        ...(method === 'GET' && status === 200 ? ['Cache-Control'] : []),
        ...(('headers' in operation && status === 200 && operation.headers) || []),
        ...keyedHeaders,
      ]),
      content: {
        [(status === 200 && contentType) || 'application/json']: {
          schema: answers.length === 1 ? ref(answers[0]!.schema) : { anyOf: answers.map(({ schema }) => ref(schema)) },
          example: answers[0]!.example ?? exampleOf(ref(answers[0]!.schema), responseSchemas),
        },
      },
    },
  ]);
  for (const { status, name, methods } of failures) {
    const isDescribed = responses.some(([own]) => own === status);
    if (status === 304 && !hasETag) continue;
    if (!isDescribed && methods.includes(method === 'GET' ? 'GET' : 'POST')) {
      responses.push([status, component('responses', name)]);
    }
  }
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(scope),
    parameters: [
      ...(path.includes('{id}') ? [idParameter(tag)] : []),
      ...parametersOf(operation),
      component('parameters', 'X-Request-Id'),
    ],
    ...bodyOf(operation),
    responses: Object.fromEntries(responses.sort(([a], [b]) => a - b)),
  };
}

/** Returns the security requirement: either scheme, with a key that has the scope or is not limited to scopes. */
function securityOf(scope: Scope): Array<Record<string, string[]>> {
  return [{ bearer: [scope] }, { apiKey: [scope] }];
}

function idParameter(tag: string): Parameter {
  const description = idDescriptions[tag] ?? '';
  return { name: 'id', in: 'path', description, required: true, schema: { type: 'string' }, example: exampleIds[tag] };
}

const idDescriptions: Readonly<Record<string, string>> = {
  Customers: "Id of the customer's account.",
  Plans: 'Id of the plan.',
  'Price changes': 'Id of the change.',
  Pages: 'Id of the page.',
  Revisions: 'Id of the revision.',
  Redirects: 'Id of the redirect.',
  Images: 'Id of the image.',
  Keys: 'Id of the key.',
  Domains: 'Id of the domain.',
  Users: 'Id of the user.',
  Webhooks: 'Id of the webhook.',
};
