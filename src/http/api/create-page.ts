import { createPage } from '../../pages/create-page.ts';
import { bodyFormats } from '../../pages/page.ts';
import { badRequest } from './answers.ts';
import { objectSchema, textSchema } from './json-schema.ts';
import { changeOperation, textField, textOrNumberField } from './operation.ts';

export const createPageOperation = changeOperation('POST /api/pages.json', {
  id: 'createPage',
  tag: 'Pages',
  scope: 'pages:write',
  summary: 'Create a page',
  description:
    "Creates a page on the key owner's account, last among its siblings. The response has its id if you send `Prefer: return=representation`.",
  input: {
    object: 'page',
    name: 'PageInput',
    fields: {
      name: textOrNumberField('Name of the page, unique within the account.', 'Opening hours', {
        required: true,
        maxLength: 255,
      }),
      body: textOrNumberField(
        'Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown.',
        '<p>Tuesday to Sunday, 7 to 18 h.</p>',
      ),
      parent_id: textOrNumberField(
        'Id of the page under which this page becomes a sub-page. Blank means a root-level page.',
        'page_12',
      ),
      is_hidden: {
        type: 'boolean',
        accepts: ['string', 'number', 'boolean'],
        description: 'When true, the page is hidden from navigation. Takes true/false, 1/0, yes/no, on/off and t/f.',
        example: false,
      },
      is_published: {
        type: 'boolean',
        accepts: ['string', 'number', 'boolean'],
        description: 'When false, visitors do not see the page before it is published. Blank means true.',
        example: true,
      },
      description: textOrNumberField('Excerpt of the page, used as meta-data.', 'When the bakery is open.'),
      body_format: textField(
        'Format used to edit the page. If not set, the editor chosen in the account settings.',
        'wysiwyg_format',
        { enum: bodyFormats },
      ),
    },
  },
  exampleFields: ['body', 'description', 'body_format'],
  answers: [
    { status: 200, schema: 'PageCreated', description: 'The page was created.' },
    badRequest(
      'Invalid format: no `page` at all, a field given twice, as a list or as an object, broken JSON or encoding, or a content type that is not supported.',
      'Invalid format',
    ),
    {
      status: 422,
      schema: 'PageInvalid',
      description: 'Validation failed, and nothing was created. All failures are reported together.',
      example: {
        response: false,
        errors: [
          ['name', 'has already been taken'],
          ['parent_id', 'does not exist'],
        ],
      },
    },
  ],
  schemas: {
    PageCreated: objectSchema(
      { response: { const: true }, errors: { type: 'array', maxItems: 0, description: 'Always empty.' } },
      { id: textSchema('Id of the page, if requested with `Prefer`.', 'page_12') },
    ),
    PageInvalid: objectSchema({
      response: { const: false },
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'array',
          prefixItems: [
            { type: 'string', description: "The field's name." },
            { type: 'string', description: 'What is wrong with the field.' },
          ],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
        description: 'A pair of field and message for each validation failure.',
      },
    }),
  },
  idPrefix: 'page_',
  malformedMessage: 'Invalid format',
  fingerprintName: 'create page',
  prepare: async ({ fields, keyOwner: { accountId, userId, keyId }, ctx: { ip }, dependencies: { config } }) => {
    const { name, body, description } = fields;
    const { parent_id: parentId, is_hidden: isHidden, is_published: isPublished, body_format: bodyFormat } = fields;
    const page = { name, body, parentId, isHidden, isPublished, description, bodyFormat };
    const input = { ...page, userId, keyId, ip, quota: config.pageQuota };
    return (db) => createPage(db, accountId, input);
  },
});
