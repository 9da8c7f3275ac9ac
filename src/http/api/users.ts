import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { UserActor } from '../../audit/record-audit-event.ts';
import type { Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError } from '../../errors.ts';
import type { Change } from '../../idempotency/run-once.ts';
import { changeMember } from '../../membership/change-member.ts';
import { removeMember } from '../../membership/remove-member.ts';
import { restoreMember } from '../../membership/restore-member.ts';
import { getUser } from '../../users/get-user.ts';
import { countInvitation, inviteAgain, inviteUser } from '../../users/invite-user.ts';
import { listUsers } from '../../users/list-users.ts';
import { type ActingUser, permissionsOf, roles } from '../../users/roles.ts';
import type { RequestContext } from '../request-context.ts';
import { malformed, missing, refused } from './answers.ts';
import { changing } from './changing.ts';
import { idInPath } from './ids.ts';
import { idSchema, objectSchema, ref, successWith, textSchema, timeOrNull } from './json-schema.ts';
import { changeOperation, type FieldSchema, type ObjectSchema, readOperation, textField } from './operation.ts';
import { reading } from './reading.ts';
import { isoTime } from './times.ts';

const noUser = missing('The account has no user with this id.', 'The user does not exist.');

const notTheirs = {
  status: 403,
  schema: 'Failure',
  description:
    'Only the key of an owner can add, change or remove owners. A key with scopes cannot add, change or remove owners or admins.',
  example: { response: false, errors: 'Only an owner can add, change or remove owners.' },
} as const;

const schemas = {
  UserInvited: successWith({
    id: textSchema('Identifier of the user.', 'user_12'),
  }),
} as const;

const shared = {
  tag: 'Users',
  scope: 'users:write',
  schemas,
} as const;

const role: FieldSchema = textField('Role of the user.', 'editor', { required: true, enum: roles });
const name: FieldSchema = textField('Name of the user.', 'Ben Miller', { required: true, maxLength: 255 });

const invitation: ObjectSchema<'name' | 'email' | 'role'> = {
  object: 'user',
  name: 'Invitation',
  fields: {
    name,
    email: textField('E-mail address of the user, to which the invitation is sent.', 'ben@example.com', {
      required: true,
      maxLength: 254,
      format: 'email',
    }),
    role,
  },
};

export const inviteUserOperation = changeOperation('POST /api/users.json', {
  ...shared,
  id: 'inviteUser',
  summary: 'Invite a user',
  description:
    'Adds a user to the account, and mails them a link to choose a password. The link works once, within seven days.',
  input: invitation,
  answers: [
    { status: 200, schema: 'UserInvited', description: 'The user was invited.' },
    malformed,
    notTheirs,
    refused('Validation failed, or the plan allows no more users.', [['email', 'has already been taken']]),
  ],
  fingerprintName: 'invite user',
  answerOf: (id) => ({ id: `user_${id}` }),
  prepare: async ({ fields: { name = '', email = '', role = '' }, keyOwner, ctx, dependencies: { db, config } }) => {
    await countInvitation(db, keyOwner.accountId, email);
    const input = { name, email, role: role.trim() };
    return changingAsUser(keyOwner, ctx, input, (trx, by) => inviteUser(trx, keyOwner.accountId, input, by, config));
  },
  sendsMail: true,
});

export const inviteUserAgainOperation = changeOperation('POST /api/users/{id}/invite.json', {
  ...shared,
  id: 'inviteUserAgain',
  summary: 'Invite a user again',
  description: 'Mails the invitation again, with a new link. Earlier links stop working.',
  answers: [
    { status: 200, schema: 'Success', description: 'The message is on its way.' },
    notTheirs,
    noUser,
    refused('The user has already chosen a password.', 'Ben Miller has already accepted the invitation.'),
  ],
  fingerprintName: 'invite user again',
  prepare: async ({ keyOwner, ctx, dependencies: { db, config }, id: text }) => {
    const id = idInPath('user', text);
    const { email } = await getUser(db, keyOwner.accountId, id);
    await countInvitation(db, keyOwner.accountId, email);
    return changingAsUser(keyOwner, ctx, { id }, (trx, by) => inviteAgain(trx, keyOwner.accountId, id, by, config));
  },
  sendsMail: true,
});

const changes: ObjectSchema<'name' | 'role'> = {
  object: 'user',
  name: 'UserChanges',
  fields: { name: { ...name, required: false }, role: { ...role, required: false } },
};

export const changeUserOperation = changeOperation('PATCH /api/users/{id}.json', {
  ...shared,
  id: 'changeUser',
  summary: 'Change a user',
  description:
    "Changes the name or the role of a user. If the new role may not issue keys, the user's keys are revoked.",
  input: changes,
  exampleFields: ['name'],
  answers: [
    { status: 200, schema: 'Success', description: 'The user has the requested values.' },
    malformed,
    notTheirs,
    noUser,
    refused('Validation failed, or the user is the last owner.', [
      ['role', 'is not one of accountant, viewer, editor, admin, owner'],
    ]),
  ],
  fingerprintName: 'change user',
  prepare: async ({ fields: { name, role }, keyOwner, ctx, id: text }) => {
    const id = idInPath('user', text);
    const input = { name, role: role?.trim(), withKeys: false };
    return changingAsUser(keyOwner, ctx, { id, role: input.role }, (trx, by) =>
      changeMember(trx, keyOwner.accountId, id, input, by),
    );
  },
});

export const removeUserOperation = changeOperation('DELETE /api/users/{id}.json', {
  ...shared,
  id: 'removeUser',
  summary: 'Remove a user',
  description:
    'Signs a user out, removes them from the account, and revokes their keys. They can be restored for 10 minutes.',
  answers: [
    { status: 200, schema: 'Success', description: 'The user was removed.' },
    notTheirs,
    noUser,
    refused('The user is the last owner.', 'Olivia Owner is the last owner. Make somebody else an owner first.'),
  ],
  fingerprintName: 'remove user',
  prepare: async ({ keyOwner, ctx, id: text }) => {
    const id = idInPath('user', text);
    return changingAsUser(keyOwner, ctx, { id }, (trx, by) => removeMember(trx, keyOwner.accountId, id, by));
  },
});

export const restoreUserOperation = changeOperation('POST /api/users/{id}/restore.json', {
  ...shared,
  id: 'restoreUser',
  summary: 'Restore a removed user',
  description: 'Undoes a removal of the last 10 minutes. The user has to sign in again.',
  answers: [
    { status: 200, schema: 'Success', description: 'The user was restored.' },
    notTheirs,
    missing('No user with this id was removed.', 'The removed user does not exist.'),
    refused(
      'The user was removed more than 10 minutes ago, or somebody else uses their e-mail address now.',
      'Somebody else uses this e-mail address now.',
    ),
  ],
  fingerprintName: 'restore user',
  prepare: async ({ keyOwner, ctx, id: text }) => {
    const id = idInPath('user', text);
    return changingAsUser(keyOwner, ctx, { id }, (trx, by) => restoreMember(trx, keyOwner.accountId, id, by));
  },
});

export const listUsersOperation = readOperation('GET /api/users.json', {
  id: 'listUsers',
  tag: 'Users',
  scope: 'users:read',
  summary: 'List users',
  description: 'The users of the account, oldest first.',
  answers: [{ status: 200, schema: 'UserList', description: 'The users.' }],
  schemas: {
    UserList: objectSchema({ users: { type: 'array', items: ref('User'), description: 'Oldest first.' } }),
    User: objectSchema({
      id: idSchema('user', 'Identifier of the user.'),
      name: textSchema('Name of the user.', 'Ben Miller'),
      email: textSchema('E-mail address of the user.', 'ben@example.com'),
      role: { ...textSchema('Role of the user.', 'editor'), enum: roles },
      has_password: { type: 'boolean', description: 'Whether the user has chosen a password.', examples: [true] },
      created_at: { ...textSchema('When the user was added.', '2026-11-27T08:56:03.000Z'), format: 'date-time' },
      last_seen_at: timeOrNull('When the user last used the admin app, accurate to a minute; null if never.'),
    }),
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db } }) => {
    const users = await snapshot(db, (trx) => listUsers(trx, accountId));
    return { users: users.map(userJson) };
  }),
});

function userJson({
  id,
  name,
  email,
  role,
  hasPassword,
  created_at,
  lastSeenAt,
}: Awaited<ReturnType<typeof listUsers>>[number]) {
  return {
    id: `user_${id}`,
    name,
    email,
    role,
    // SQLite returns 0 or 1.
    has_password: Boolean(hasPassword),
    created_at: isoTime(created_at),
    last_seen_at: isoTime(lastSeenAt),
  };
}

/** The roles that a key with scopes may not touch: a user with one of them can issue a key without scopes. */
const privilegedRoles: readonly string[] = roles.filter((role) => permissionsOf(role).includes('update_settings'));

/**
 * Like `changing`, for changes that depend on the role of the key's user. `about` has the user and the role that the change
 * concerns.
 * @throws AppError `forbidden` for a key with scopes, if either is privileged (owner or admin)
 */
function changingAsUser(
  keyOwner: KeyOwner,
  ctx: RequestContext,
  about: { id?: number; role?: string | undefined },
  work: (trx: Trx, by: ActingUser & UserActor) => Promise<unknown>,
): Change {
  return changing(keyOwner, ctx, async (trx, by) => {
    if (keyOwner.scopes !== null) await checkNotPrivileged(trx, keyOwner.accountId, about);
    const { role } = await getUser(trx, keyOwner.accountId, by.userId);
    return work(trx, { ...by, role });
  });
}

async function checkNotPrivileged(
  trx: Trx,
  accountId: number,
  { id, role }: { id?: number; role?: string | undefined },
) {
  const user =
    id === undefined
      ? undefined
      : await trx
          .selectFrom('users')
          .select('role')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst();
  const isPrivileged = [user?.role, role].some((one) => one !== undefined && privilegedRoles.includes(one));
  if (isPrivileged) throw new AppError('forbidden', 'A key with scopes cannot add, change or remove owners or admins.');
}
