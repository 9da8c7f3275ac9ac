import { inEnglish } from '../../english.ts';
import { createPage } from '../../pages/create-page.ts';
import type { CreationOf } from './create.ts';
import { pageSchema } from './operations.ts';

/** `POST /api/pages.json` */
export const pageCreation: CreationOf = ({ config }, ctx, caller) => ({
  operation: 'create page',
  schema: pageSchema,
  noErrors: [],
  malformedMessage: 'Invalid format',
  present: ({ fields }) => fields.map((error) => [error.field, inEnglish(error)]),
  prepare: async (fields) => {
    const { accountId, userId, keyId } = caller;
    const input = {
      name: fields.get('name'),
      body: fields.get('body'),
      parentId: fields.get('parent_id'),
      isHidden: fields.get('is_hidden'),
      description: fields.get('description'),
      bodyFormat: fields.get('body_format'),
      userId,
      keyId,
      ip: ctx.ip,
      quota: config.pageQuota,
    };
    return (db) => createPage(db, accountId, input);
  },
});
