import { bodyFormats } from '../../pages/page.ts';
import { exampleOf, type ResponseName, responseSchemas } from './response-schemas.ts';

/** One input field: read by the routes, described by the OpenAPI document. */
export interface FieldSchema {
  readonly description: string;
  readonly required: boolean;
  /** The JSON types, or the one number, it may have; in a query or form everything is a string. */
  readonly accepts: readonly ('string' | 'number' | 'boolean' | 1)[];
  /** The type of the field in the interface. */
  readonly type: 'string' | 'boolean';
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly format?: string;
  readonly example: string | boolean;
}

export interface ObjectSchema {
  /** The prefix of its fields: `page` in `page[name]`. */
  readonly object: 'customer' | 'page';
  readonly fields: Readonly<Record<string, FieldSchema>>;
}

const text = { type: 'string', accepts: ['string'] } as const;
const textOrNumber = { type: 'string', accepts: ['string', 'number'] } as const;

export const customerSchema = {
  object: 'customer',
  fields: {
    account_name: {
      ...text,
      required: true,
      maxLength: 255,
      description: 'Name of the account.',
      example: 'Acme Bakery',
    },
    account_subdomain: {
      ...text,
      required: true,
      maxLength: 63,
      description:
        'Subdomain for the account: letters, digits and hyphens, no hyphen first or last. Case does not matter. One that is in use makes the creation fail.',
      example: 'acme-bakery',
    },
    user_name: {
      ...text,
      required: true,
      maxLength: 255,
      description: 'Name of the admin user.',
      example: 'Ann Baker',
    },
    user_email: {
      ...text,
      required: true,
      maxLength: 254,
      format: 'email',
      description: 'E-mail address of the admin user, who is mailed login instructions.',
      example: 'ann@example.com',
    },
    user_password: {
      ...text,
      required: true,
      format: 'password',
      description: 'Password of the admin user: at least 8 characters, at most 1,024 bytes.',
      example: 'rise early 4 bread',
    },
    user_password_confirmation: {
      ...text,
      required: true,
      format: 'password',
      description: 'Must be exactly equal to the password.',
      example: 'rise early 4 bread',
    },
    skip_default_pages: {
      type: 'string',
      accepts: ['string', 1],
      required: false,
      description: '`1` means no default pages are created. Any other value, or none, means they are.',
      example: '1',
    },
  },
} as const satisfies ObjectSchema;

export const pageSchema = {
  object: 'page',
  fields: {
    name: {
      ...textOrNumber,
      required: true,
      maxLength: 255,
      description: 'Name of the page, unique within the account.',
      example: 'Opening hours',
    },
    body: {
      ...textOrNumber,
      required: false,
      description: 'Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown.',
      example: '<p>Tuesday to Sunday, 7 to 18 h.</p>',
    },
    parent_id: {
      ...textOrNumber,
      required: false,
      description: 'Id of the page under which this page becomes a sub-page. Blank means a root-level page.',
      example: 'page_12',
    },
    is_hidden: {
      type: 'boolean',
      accepts: ['string', 'number', 'boolean'],
      required: false,
      description: 'When true, the page is hidden from navigation. Takes true/false, 1/0, yes/no, on/off and t/f.',
      example: false,
    },
    description: {
      ...textOrNumber,
      required: false,
      description: 'Excerpt of the page, used as meta-data.',
      example: 'When the bakery is open.',
    },
    body_format: {
      ...text,
      required: false,
      enum: bodyFormats,
      description: 'Format used to edit the page. If not set, the editor chosen in the account settings.',
      example: 'wysiwyg_format',
    },
  },
} as const satisfies ObjectSchema;

/** An operation of the interface: described by the OpenAPI document and the pages made of it. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly input?: ObjectSchema;
  /** The optional fields that an example request sends along with the required ones. */
  readonly exampleFields?: readonly string[];
  /** The answers of this operation alone, with the status of each. */
  readonly answers: readonly OperationResponse[];
}

interface OperationResponse {
  readonly status: number;
  readonly schema: ResponseName;
  readonly description: string;
  /** An example, if the schema's own does not serve. */
  readonly example?: unknown;
}

export const operations: readonly Operation[] = [
  {
    id: 'createCustomer',
    method: 'POST',
    path: '/api/customers.json',
    summary: 'Create a customer',
    description:
      "Creates a customer account under the key owner's account, with its admin user and, unless told otherwise, default pages. The new user is mailed login instructions. All of it happens, or none.",
    input: customerSchema,
    answers: [
      {
        status: 200,
        schema: 'CustomerCreated',
        description: 'The customer was created and the login instructions are on their way.',
      },
      {
        status: 400,
        schema: 'Failure',
        description:
          'The parameters are incorrectly formatted: no `customer` at all, a field given twice, as a list or as an object, in JSON as a number, true or false (but `skip_default_pages` may be the number 1), broken JSON or encoding, or a content type that is not supported.',
        example: { response: false, errors: 'Incorrect parameters.' },
      },
      {
        status: 422,
        schema: 'CustomerInvalid',
        description: 'Rules were broken, and nothing was created. All failures are reported together.',
        example: {
          response: false,
          errors: ['Your URL has already been taken', "User password confirmation doesn't match"],
        },
      },
    ],
  },
  {
    id: 'createPage',
    method: 'POST',
    path: '/api/pages.json',
    summary: 'Create a page',
    description:
      "Creates a page on the key owner's account, last among its siblings. The answer does not name its id: the list of pages does.",
    input: pageSchema,
    exampleFields: ['body', 'description', 'body_format'],
    answers: [
      { status: 200, schema: 'PageCreated', description: 'The page was created.' },
      {
        status: 400,
        schema: 'Failure',
        description:
          'Invalid format: no `page` at all, a field given twice, as a list or as an object, broken JSON or encoding, or a content type that is not supported.',
        example: { response: false, errors: 'Invalid format' },
      },
      {
        status: 422,
        schema: 'PageInvalid',
        description: 'Rules were broken, and nothing was created. All failures are reported together.',
        example: {
          response: false,
          errors: [
            ['name', 'has already been taken'],
            ['parent_id', 'does not exist'],
          ],
        },
      },
    ],
  },
  {
    id: 'listPages',
    method: 'GET',
    path: '/api/pages.json',
    summary: 'List all pages',
    description:
      "The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`.",
    answers: [{ status: 200, schema: 'PageList', description: 'The page tree.', example: { pages: [examplePage()] } }],
  },
  {
    id: 'getAccount',
    method: 'GET',
    path: '/api/account.json',
    summary: 'Account information',
    description: "A summary of the key owner's account: its plan, its customers and what they bring in.",
    answers: [{ status: 200, schema: 'AccountInformation', description: 'The account.' }],
  },
];

/** A page with a sub-page. */
function examplePage() {
  const page = exampleOf(responseSchemas.Page) as Record<string, unknown>;
  const child = {
    id: 'page_13',
    name: 'Holidays',
    urlname: 'holidays',
    body: 'Closed on **public holidays**.',
    parent_id: 'page_12',
    url: '/opening-hours/holidays',
    description: null,
    body_format: 'markdown_format',
  };
  return { ...page, children: [{ ...page, ...child }] };
}
