import { changeMedia } from '../../media/change-media.ts';
import { listMedia } from '../../media/list-media.ts';
import { formatMediaId, getMedia, type Media } from '../../media/media.ts';
import { removeMedia, restoreMedia } from '../../media/remove-media.ts';
import { badRequest, malformed, missing, refused } from './answers.ts';
import { changing, changingById } from './changing.ts';
import { idInPath } from './ids.ts';
import { idSchema, objectSchema, ref, type Schema, textOrNull, textSchema } from './json-schema.ts';
import { changeOperation, type ObjectSchema, readOperation, textField } from './operation.ts';
import { timeSchema } from './page-schema.ts';
import { readId, wrongId } from './query-parameters.ts';
import { reading } from './reading.ts';
import { pageTime } from './times.ts';

const PAGE_SIZE = 50;

const imageSchema: Schema = objectSchema({
  id: idSchema('media', 'Image identifier.'),
  name: textSchema('Name of the uploaded file.', 'bread.jpg'),
  alt: textOrNull(
    'Description for people who cannot see the image. Empty for decoration; null when unset.',
    'A loaf of rye bread',
  ),
  src: textSchema(
    'Path of the largest variant on the site, which the text of a page uses to show the image.',
    '/media/5c1f0c6d8ce4f5ab5d2e2b1f8a0c7d36-1600x1200.webp',
  ),
  thumbnail: textSchema(
    'Path of the smallest variant on the site.',
    '/media/5c1f0c6d8ce4f5ab5d2e2b1f8a0c7d36-320x240.webp',
  ),
  width: { type: 'integer', description: 'Width in pixels.', examples: [1600] },
  height: { type: 'integer', description: 'Height in pixels.', examples: [1200] },
  bytes: { type: 'integer', description: 'Size of all variants together.', examples: [412_345] },
  created_at: timeSchema('Upload time, in UTC.'),
  created_by: textSchema('Name of the uploading user.', 'Olivia Owner'),
});

const noImage = missing('The account has no image with this id.', 'The image does not exist.');

export const listImagesOperation = readOperation('GET /api/images.json', {
  id: 'listImages',
  tag: 'Images',
  scope: 'images:read',
  summary: 'List images',
  description: `The images of the account, newest first, ${PAGE_SIZE} at a time. Deleted images are not listed.`,
  queryParameters: {
    before: textSchema('Only images older than this one: the last id of the previous response.', 'media_12'),
  },
  answers: [
    { status: 200, schema: 'ImageList', description: 'The images.' },
    badRequest('`before` is not the id of an image, or is given twice.', wrongId('before', 'media')),
  ],
  schemas: {
    ImageList: objectSchema({
      images: { type: 'array', items: ref('Image'), description: 'Newest first.' },
      has_more: { type: 'boolean', description: 'Whether there are older images.', examples: [false] },
    }),
    Image: imageSchema,
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const page = { before: readId(ctx.query, 'before', 'media'), limit: PAGE_SIZE };
    const { media, hasMore } = await listMedia(db, accountId, page);
    return { images: media.map(imageJson), has_more: hasMore };
  }),
});

export const getImageOperation = readOperation('GET /api/images/{id}.json', {
  id: 'getImage',
  tag: 'Images',
  scope: 'images:read',
  summary: 'Read an image',
  description: "One image. Its file is at `src` on the account's site.",
  answers: [{ status: 200, schema: 'ImageAnswer', description: 'The image.' }, noImage],
  schemas: { ImageAnswer: objectSchema({ image: ref('Image') }) },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db }, id }) => ({
    image: imageJson(await getMedia(db, accountId, idInPath('media', id))),
  })),
});

const imageChanges: ObjectSchema<'alt'> = {
  object: 'image',
  name: 'ImageChanges',
  fields: {
    alt: textField(
      'Description for people who cannot see the image. Blank for decoration. Pages that already show the image keep its former description.',
      'A loaf of rye bread',
      { required: true, maxLength: 1000 },
    ),
  },
};

export const changeImageOperation = changeOperation('PATCH /api/images/{id}.json', {
  id: 'changeImage',
  tag: 'Images',
  scope: 'images:write',
  summary: 'Describe an image',
  description: 'Sets the description of the image for pages into which it is inserted from now on.',
  input: imageChanges,
  answers: [
    { status: 200, schema: 'Success', description: 'The description was set.' },
    malformed,
    noImage,
    refused('Validation failed, and nothing was changed.', [['alt', 'is too long (maximum is 1000 characters)']]),
  ],
  fingerprintName: 'change image',
  prepare: async ({ fields: { alt }, keyOwner, ctx, id: text }) => {
    const id = idInPath('media', text);
    return changing(keyOwner, ctx, (trx, by) => changeMedia(trx, keyOwner.accountId, { id, alt: alt! }, by));
  },
});

export const deleteImageOperation = changeOperation('DELETE /api/images/{id}.json', {
  id: 'deleteImage',
  tag: 'Images',
  scope: 'images:write',
  summary: 'Delete an image',
  description:
    'Takes the image off the site at once. It stays in the trash for 30 days, unless its space is needed earlier.',
  answers: [{ status: 200, schema: 'Success', description: 'The image was moved to the trash.' }, noImage],
  fingerprintName: 'delete image',
  prepare: changingById('media', removeMedia),
});

export const restoreImageOperation = changeOperation('POST /api/images/{id}/restore.json', {
  id: 'restoreImage',
  tag: 'Images',
  scope: 'images:write',
  summary: 'Restore a deleted image',
  description: 'Takes the image out of the trash. Pages that use it show it again.',
  answers: [
    { status: 200, schema: 'Success', description: 'The image was restored.' },
    noImage,
    refused("The image does not fit into the plan's storage, and nothing was changed.", [
      ['plan', 'allows at most 100 MB of images'],
    ]),
  ],
  fingerprintName: 'restore image',
  prepare: changingById('media', restoreMedia),
});

export function imageJson({ id, name, alt, src, thumbnail, width, height, bytes, createdAt, createdBy }: Media) {
  const created = { created_at: pageTime(createdAt), created_by: createdBy };
  return { id: formatMediaId(id), name, alt, src, thumbnail, width, height, bytes, ...created };
}
