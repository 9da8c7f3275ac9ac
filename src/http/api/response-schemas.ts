import { bodyFormats } from '../../pages/page.ts';

/** A JSON Schema, as far as the OpenAPI document needs it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
}

/** The schemas of all responses. Tests check every response of the real routes against them. */
export const responseSchemas = {
  PageList: responseSchema({
    pages: { type: 'array', items: ref('Page'), description: 'The root-level pages, in their order.' },
  }),
  Page: responseSchema({
    id: { ...text('Page identifier.', 'page_12'), pattern: '^page_[1-9][0-9]*$' },
    name: text('Name of the page.', 'Opening hours'),
    urlname: text('URL-safe form of the name.', 'opening-hours'),
    body: text('Page content, byte for byte as it was sent.', '<p>Tuesday to Sunday, 7 to 18 h.</p>'),
    created_at: pageTime('Creation time, in UTC.'),
    created_by: text('Name of the creating user.', 'Olivia Owner'),
    updated_at: pageTime('Last update time, in UTC.'),
    updated_by: text('Name of the last updating user.', 'Olivia Owner'),
    parent_id: {
      ...text('Id of the parent page; `0` for a root-level page.', '0'),
      pattern: '^(0|page_[1-9][0-9]*)$',
    },
    position: { ...text('Position among siblings, starting at 1.', '1'), pattern: '^[1-9][0-9]*$' },
    url: { ...text("Path of the page on the site, with its ancestors' urlnames.", '/opening-hours'), pattern: '^/' },
    is_hidden: {
      type: 'boolean',
      description: 'Whether the page is hidden from navigation. Hidden pages are listed too.',
      examples: [false],
    },
    description: {
      type: ['string', 'null'],
      description: 'Page excerpt; null when unset.',
      examples: ['When the bakery is open.'],
    },
    body_format: {
      ...text('Editor format; empty for some imported and older pages.', 'wysiwyg_format'),
      enum: [...bodyFormats, ''],
    },
    custom_date: pageTime('A date of the page, in UTC; it starts as the creation time.'),
    children: {
      type: 'array',
      items: ref('Page'),
      description: 'Sub-pages, each with the same fields; empty when there are none. At most 30 levels deep.',
      examples: [[]],
    },
  }),
  AccountInformation: responseSchema({ account: ref('Account') }),
  Account: responseSchema({
    id: { ...text('Account identifier.', 'account_12'), pattern: '^account_[1-9][0-9]*$' },
    name: text('Account name.', 'Riverside Web Studio'),
    url: text("Public address of the account's site.", 'https://riverside.example.com'),
    created_at: {
      ...text('Creation time.', '2003-04-09 08:56:03 +0000'),
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}$',
    },
    plan_name: text('Name of the plan the account itself is on.', 'Self-hosted'),
    plan_price: decimal('Price of that plan.', '0.00'),
    paying_customers_count: count('Number of active customers whose plan has a price.', 12),
    free_customers_count: count('Number of active customers whose plan is free.', 30),
    monthly_revenue: decimal("A twelfth of the year's revenue.", '588.00'),
    quarterly_revenue: decimal("A quarter of the year's revenue.", '1764.00'),
    annual_revenue: decimal("What the paying customers' plans bring in over a year, at today's prices.", '7056.00'),
  }),
  CustomerCreated: responseSchema({
    response: { const: true },
    errors: { type: 'null', description: 'Always null.' },
  }),
  CustomerInvalid: responseSchema({
    response: { const: false },
    errors: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'A sentence for every rule that was broken.',
    },
  }),
  PageCreated: responseSchema({
    response: { const: true },
    errors: { type: 'array', maxItems: 0, description: 'Always empty.' },
  }),
  PageInvalid: responseSchema({
    response: { const: false },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'array',
        prefixItems: [
          { type: 'string', description: "The field's name." },
          { type: 'string', description: 'What is wrong with it.' },
        ],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
      description: 'A pair of field and message for every rule that was broken.',
    },
  }),
  Failure: responseSchema({
    response: { const: false },
    errors: { type: 'string', description: 'What went wrong, in one or two sentences.' },
  }),
} as const satisfies Record<string, Schema>;

export type ResponseName = keyof typeof responseSchemas;

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object that always has all of its properties. */
function responseSchema(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required: Object.keys(properties), properties };
}

function text(description: string, example: string): Schema {
  return { type: 'string', description, examples: [example] };
}

function pageTime(description: string): Schema {
  return {
    ...text(description, 'Wed Apr 09 08:56:03 UTC 2003'),
    pattern: '^[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} UTC [0-9]{4}$',
  };
}

function decimal(description: string, example: string): Schema {
  return { ...text(`${description} A decimal number.`, example), pattern: '^[0-9]+\\.[0-9]{2}$' };
}

function count(description: string, example: number): Schema {
  return { type: 'integer', minimum: 0, description, examples: [example] };
}

/** The example of an answer's schema, put together from the examples of its properties. */
export function exampleOf(schema: Schema): unknown {
  if (schema.$ref) return exampleOf(responseSchemas[schema.$ref.split('/').at(-1) as ResponseName]);
  if (schema.examples) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.type === 'array') return schema.items && schema.maxItems !== 0 ? [exampleOf(schema.items)] : [];
  if (!schema.properties) return null;
  return Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, exampleOf(inner)]));
}
