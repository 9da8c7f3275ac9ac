import { admitKey } from '../../api-keys/admit-key.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Config } from '../../config.ts';
import { inTransaction, type Trx } from '../../db/database.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { changeMedia } from '../../media/change-media.ts';
import { fetchFile, fetchSettings } from '../../media/fetch-file.ts';
import { fileName } from '../../media/file-name.ts';
import type { Uploaded } from '../../media/upload-image.ts';
import { type FindHolder, holderFinder } from '../../tenancy/holder.ts';
import { checkAnnounced, hasBody, withBody } from '../body.ts';
import { malformed, type ObjectShape, readUrlEncoded } from '../form.ts';
import { type FormFile, MAX_BYTES_BESIDE, readFormFile } from '../form-file.ts';
import { receivingImage } from '../image-uploads.ts';
import { json } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { badRequest, refused } from './answers.ts';
import type { UploadDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import { fieldPairs } from './field-pairs.ts';
import { imageJson } from './images.ts';
import { ref, successWith } from './json-schema.ts';
import { type ObjectSchema, textField, type UploadOperation } from './operation.ts';
import { readFields } from './read-fields.ts';

const upload: ObjectSchema<'name' | 'alt' | 'url'> = {
  object: 'image',
  name: 'ImageUpload',
  fields: {
    name: textField('Name of the file, unless the form has it.', 'photo.jpg', { maxLength: 255 }),
    alt: textField('Description for people who cannot see the image. Blank for decoration.', 'A loaf of rye bread', {
      maxLength: 1000,
    }),
    url: textField(
      'Web address of the image, instead of a file. It must not lead into a private network.',
      'https://example.com/photo.jpg',
      { maxLength: 2000 },
    ),
  },
};

const HOW_TO_SEND =
  'The request has no image that can be read. Send the file as image[file] in a form of the type multipart/form-data, or as the body with its own type, such as image/jpeg. Or send its web address as image[url].';

export const uploadImageOperation: UploadOperation = {
  id: 'uploadImage',
  method: 'POST',
  path: '/api/images.json',
  tag: 'Images',
  scope: 'images:write',
  summary: 'Upload an image',
  description:
    'Stores an image for the pages of the account: JPEG, PNG, WebP, AVIF or GIF. The image is turned upright, scaled to several sizes, and stripped of camera data such as the location. The text of a page shows it with `<img src="…" alt="…">` and its `src`. If the account already has the image, it is not stored again, and the response describes the existing image. Instead of a file, you can send its web address as `url`.',
  upload,
  answers: [
    { status: 200, schema: 'ImageUploaded', description: 'The image was stored.' },
    badRequest('There is no image in the request, its form is broken, or a field is given twice.', HOW_TO_SEND),
    refused(
      "The file is not an image that can be shown, cannot be fetched, or does not fit into the plan's storage.",
      'The file is not an image that can be shown on the web: JPEG, PNG, WebP, AVIF or GIF.',
    ),
  ],
  schemas: {
    ImageUploaded: successWith({
      image: ref('Image'),
    }),
  },
  handler: (dependencies) => (ctx, keyOwner) => answerUpload(dependencies, ctx, keyOwner),
};

async function answerUpload(
  { db, config, store, imageMaker }: UploadDependencies,
  ctx: RequestContext,
  keyOwner: KeyOwner,
): Promise<HttpResponse> {
  const { accountId } = keyOwner;
  const { mediaQuota: quota, maxBodyBytes: limit } = config;
  const admit = (trx: Trx) => admitKey(trx, keyOwner, ctx.ip);
  try {
    checkAnnounced(ctx.request, limit + MAX_BYTES_BESIDE);
    const fromQuery = readUrlEncoded(ctx.query, shape);
    const by = await inTransaction(db, admit);
    return await receivingImage(accountId, ctx, async () => {
      const { source, name, fields } = await readUpload(ctx, holderFinder(db, accountId), config);
      const commit = async (work: (trx: Trx) => Promise<Uploaded | undefined>) => {
        // Awaited before the transaction, which must not wait for the client.
        const alt = (await fields)?.get('alt') ?? fromQuery?.get('alt');
        return inTransaction(db, async (trx) => {
          await admit(trx);
          const done = await work(trx);
          if (!done || alt === undefined) return done;
          return { ...done, media: await changeMedia(trx, accountId, { id: done.media.id, alt: String(alt) }, by) };
        });
      };
      const [{ uploadImage }, maker] = await Promise.all([import('../../media/upload-image.ts'), imageMaker()]);
      const chosen = fromQuery?.get('name') ?? name;
      const input = { source, name: fileName(String(chosen)), commit };
      const { media } = await uploadImage({ db, store, maker, quota, limit }, accountId, input, by);
      return json(200, { response: true, errors: [], image: imageJson(media) });
    });
  } catch (error) {
    if (error instanceof ValidationError) return failure(422, fieldPairs(error));
    if (error instanceof AppError && error.code === 'malformed') return failure(400, HOW_TO_SEND);
    throw error;
  }
}

/**
 * Returns the file in the body, in the form, or at the URL that the request names.
 * @throws AppError `malformed`, and the errors of `fetchFile`
 */
async function readUpload(ctx: RequestContext, findHolder: FindHolder, config: Config): Promise<FormFile> {
  const { request } = ctx;
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1);
  if (type.trim() === 'multipart/form-data') return readFormFile(request, shape, config.maxBodyBytes);
  if (/^(image\/.|application\/octet-stream$)/.test(type.trim())) {
    return { source: request, name: '', fields: Promise.resolve(undefined) };
  }
  const texts = hasBody(request)
    ? await withBody(request, { limit: MAX_BYTES_BESIDE, findHolder }, (bytes) => readFields(ctx, upload, bytes))
    : await readFields(ctx, upload, undefined);
  if (texts.url === undefined) throw malformed();
  const { source, name } = await fetchFile(texts.url.trim(), fetchSettings(config));
  return { source, name: texts.name ?? name, fields: Promise.resolve(new Map(Object.entries(texts))) };
}

const shape: ObjectShape = { object: upload.object, fields: new Set(Object.keys(upload.fields)) };
