import { grantScopes, scopes } from '../../api-keys/scopes.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { issueCustomerKey } from '../../membership/issue-customer-key.ts';
import { issueKey } from '../../membership/issue-key.ts';
import { revokeManagedKey, rotateManagedKey } from '../../membership/managed-key.ts';
import { parseFlag } from '../../pages/create-page-input.ts';
import { parseId } from '../../parse-id.ts';
import { parseTime } from '../../parse-time.ts';
import { malformed, missing, refused } from './answers.ts';
import { changing } from './changing.ts';
import { idInPath } from './ids.ts';
import { successWith, textOrNull } from './json-schema.ts';
import { keyIdSchema } from './list-keys.ts';
import { changeOperation, type FieldTexts, type ObjectSchema, textField, textOrNumberField } from './operation.ts';

const HOUR_MS = 60 * 60 * 1000;
const MAX_OVERLAP_HOURS = 90 * 24;

const noKey = missing('No key with this id is in the account or was issued to it.', 'The API key does not exist.');

const schemas = {
  KeyIssued: successWith({
    id: keyIdSchema,
    key: textOrNull(
      'The key. No other response contains it. Null if the request was sent before with the same `Idempotency-Key`, because the key is not stored.',
      'fh_…',
    ),
  }),
} as const;

const shared = {
  tag: 'Keys',
  scope: 'keys:write',
  schemas,
} as const;

const newKey: ObjectSchema<'name' | 'scopes' | 'expires_at' | 'account_id'> = {
  object: 'key',
  name: 'NewKey',
  fields: {
    name: textField('Purpose of the key.', 'Online shop', { required: true, maxLength: 255 }),
    scopes: textField(
      `Scopes to which the key is limited, separated by spaces: ${scopes.join(', ')}. Blank: the same access as the key of the request.`,
      'pages:write images:read',
    ),
    expires_at: textField(
      'When the key expires, in ISO 8601 with a time zone. Blank: when the key of the request expires, which is the latest possible time.',
      '2099-12-31T23:59:59Z',
    ),
    account_id: textOrNumberField('The customer in whose account the key works. Blank: your account.', 'account_12'),
  },
};

export const issueKeyOperation = changeOperation('POST /api/keys.json', {
  ...shared,
  id: 'issueKey',
  summary: 'Issue a key',
  description:
    "Issues an API key for your account, or for a customer's account so that your programs can work on the customer's pages. A customer's key is limited to the website: pages, images, domains and settings. The audit logs of both accounts record it. The customer sees the key in its list of keys, and can revoke it. The key does not work while the customer forbids its agency to sign in.",
  input: newKey,
  exampleFields: ['scopes'],
  answers: [
    { status: 200, schema: 'KeyIssued', description: 'The key was issued.' },
    malformed,
    refused(
      'No key was issued: validation failed, there are too many keys, or the customer is suspended or deleted, or forbids its agency to act in its account.',
      [['name', "can't be blank"]],
    ),
  ],
  fingerprintName: 'issue key',
  answerOf: keyAnswer,
  storedAnswerOf: (result) => ({ ...keyAnswer(result), key: null }),
  prepare: async ({ fields: texts, keyOwner, ctx }) => {
    const { customerId, ...input } = parseNewKey(texts);
    // A key must not outlive the key that issues it.
    if (keyOwner.expiresAt !== null)
      input.expiresAt = Math.min(input.expiresAt ?? keyOwner.expiresAt, keyOwner.expiresAt);
    const granter = keyOwner.scopes;
    return changing(
      keyOwner,
      ctx,
      async (trx, by) => {
        if (customerId !== undefined) {
          const forCustomer = { customerId, granter, ...input };
          return issueCustomerKey(trx, keyOwner.accountId, forCustomer, by).catch(refuseMissing);
        }
        const granted = grantScopes({ wanted: input.scopes, granter });
        return issueKey(trx, keyOwner.accountId, { ...input, userId: by.userId, scopes: granted }, by);
      },
      fieldNames,
    );
  },
});

const rotation: ObjectSchema<'overlap_hours'> = {
  object: 'key',
  name: 'KeyRotation',
  isOptional: true,
  fields: {
    overlap_hours: textOrNumberField('How many hours the old key keeps working, up to 2160; 24 by default.', '24'),
  },
};

export const rotateKeyOperation = changeOperation('POST /api/keys/{id}/rotate.json', {
  ...shared,
  id: 'rotateKey',
  summary: 'Rotate a key',
  description:
    'Issues a new key with the same name, scopes and period of validity. The old key keeps working for a while, so that programs can switch over.',
  input: rotation,
  exampleFields: ['overlap_hours'],
  answers: [
    { status: 200, schema: 'KeyIssued', description: 'The new key was issued.' },
    malformed,
    noKey,
    refused('The key is revoked or expired, or the number of hours is too large.', [
      ['overlap_hours', 'must be a whole number from 0 to 2160'],
    ]),
  ],
  fingerprintName: 'rotate key',
  answerOf: keyAnswer,
  storedAnswerOf: (result) => ({ ...keyAnswer(result), key: null }),
  prepare: async ({ fields: texts, keyOwner, ctx, id: text }) => {
    const keyId = idInPath('key', text);
    const { scopes: granter, expiresAt: latestEnd } = keyOwner;
    const input = { keyId, overlapMs: parseOverlap(texts.overlap_hours), granter, latestEnd };
    return changing(keyOwner, ctx, (trx, by) => rotateManagedKey(trx, keyOwner.accountId, input, by), fieldNames);
  },
});

const revocation: ObjectSchema<'with_issued'> = {
  object: 'key',
  name: 'KeyRevocation',
  isOptional: true,
  fields: {
    with_issued: {
      type: 'boolean',
      accepts: ['string', 'boolean'],
      description:
        'Whether to also revoke all keys that were issued with this key, directly or indirectly. Use this if somebody else may have used the key.',
      example: false,
    },
  },
};

export const revokeKeyOperation = changeOperation('DELETE /api/keys/{id}.json', {
  ...shared,
  id: 'revokeKey',
  summary: 'Revoke a key',
  description: 'Revokes a key at once. If the key is already revoked, nothing changes.',
  input: revocation,
  answers: [
    { status: 200, schema: 'Success', description: 'The key no longer works.' },
    malformed,
    noKey,
    refused('`with_issued` is neither true nor false.', [['with_issued', 'is not true or false']]),
  ],
  fingerprintName: 'revoke key',
  prepare: async ({ fields: texts, keyOwner, ctx, id: text }) => {
    const keyId = idInPath('key', text);
    const flag = parseFlag(texts.with_issued ?? '');
    if (flag === undefined) throw new ValidationError([{ field: 'with_issued', code: 'not_true_or_false' }]);
    const input = { keyId, granter: keyOwner.scopes, withIssued: flag === 1 };
    return changing(keyOwner, ctx, (trx, by) => revokeManagedKey(trx, keyOwner.accountId, input, by));
  },
});

/** @throws ValidationError if the error means that the customer does not exist; otherwise the error itself */
function refuseMissing(error: unknown): never {
  const isMissing = error instanceof AppError && error.code === 'not_found';
  throw isMissing ? new ValidationError([{ field: 'account_id', code: 'missing' }]) : error;
}

/** The API's names for fields that have other names in the functions called. */
const fieldNames = { expiresAt: 'expires_at', overlap: 'overlap_hours' };

function keyAnswer(result: unknown) {
  const { id, key } = result as { id: number; key: string };
  return { id: `key_${id}`, key };
}

/** @throws ValidationError */
function parseNewKey(texts: FieldTexts<keyof typeof newKey.fields>) {
  const [chosen, expires, account] = [texts.scopes?.trim(), texts.expires_at?.trim(), texts.account_id?.trim()];
  const expiresAt = expires ? parseTime(expires) : null;
  if (Number.isNaN(expiresAt)) throw new ValidationError([{ field: 'expires_at', code: 'not_a_time' }]);
  const customerId = account ? parseId('account', account) : undefined;
  if (account && customerId === undefined) throw new ValidationError([{ field: 'account_id', code: 'missing' }]);
  return { name: texts.name ?? '', scopes: chosen ? chosen.split(/[ ,]+/) : null, expiresAt, customerId };
}

/** @throws ValidationError */
function parseOverlap(text: string | undefined): number | undefined {
  const hours = text?.trim();
  if (!hours) return undefined;
  if (/^\d{1,4}$/.test(hours) && Number(hours) <= MAX_OVERLAP_HOURS) return Number(hours) * HOUR_MS;
  const params = { min: 0, max: MAX_OVERLAP_HOURS };
  throw new ValidationError([{ field: 'overlap_hours', code: 'count_out_of_range', params }]);
}
