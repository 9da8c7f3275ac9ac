import { bodyFormats } from '../../pages/page.ts';

/** One input field: read by the routes, described by the OpenAPI document. */
export interface FieldSchema {
  readonly description: string;
  readonly required: boolean;
  /** The JSON types, or the one number, it may have; in a query or form everything is a string. */
  readonly accepts: readonly ('string' | 'number' | 'boolean' | 1)[];
  /** What the field stands for in the interface. */
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
