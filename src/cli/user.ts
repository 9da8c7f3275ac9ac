import type { Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { emailKey } from '../users/create-user.ts';
import { listUsers } from '../users/list-users.ts';
import { makeSignInLink } from '../users/sign-in-link.ts';
import { commandOfAccount, type Group } from './command.ts';
import { printable, table, time } from './output.ts';

const list = commandOfAccount({
  about: 'Lists the users of an account.',
  example: '--account acme',
  async run({ db, account: { id } }) {
    const users = (await listUsers(db, id)).map((user) => ({
      id: `user_${user.id}`,
      name: user.name,
      email: user.email,
      role: user.role,
      // SQLite returns 0 or 1.
      has_password: Boolean(user.hasPassword),
      has_second_factor: user.secondFactorSince !== null,
      last_seen_at: time(user.lastSeenAt),
    }));
    return {
      text: table(
        ['ID', 'NAME', 'E-MAIL', 'ROLE', 'PASSWORD', 'SECOND FACTOR', 'LAST SEEN'],
        users.map((user) => [
          user.id,
          user.name,
          user.email,
          user.role,
          user.has_password ? 'yes' : 'not yet',
          user.has_second_factor ? 'yes' : 'no',
          user.last_seen_at ?? '-',
        ]),
        'The account has no users.',
      ),
      json: { users },
    };
  },
});

const signInLink = commandOfAccount({
  about: 'Prints a link that signs a user in, without a password.',
  details:
    'For people who have no password yet, or have lost their second factor. The link works once, for 30 minutes. Treat it\n' +
    "like a password. The account's log shows that the link was made.",
  options: {
    email: { type: 'string', value: 'EMAIL', about: "The user. Default: the account's first user." },
  },
  example: '--account acme',
  async run({ config, db, account: { id }, values }) {
    const user = await findUser(db, id, values.email);
    const link = await db.transaction().execute((trx) => makeSignInLink(trx, id, user.id, config.publicUrl));
    // Prints the link alone on its line, ready for another program.
    return {
      text: link,
      json: { sign_in_link: link, user: { id: `user_${user.id}`, email: user.email } },
      note: `\nIt signs in ${printable(user.name)} (${user.email}), once, within 30 minutes.`,
    };
  },
});

export const userCommands: Group = {
  about: 'Users: the people who look after an account.',
  commands: { list, 'sign-in-link': signInLink },
};

async function findUser(db: Db, accountId: number, email: string | undefined) {
  const users = await listUsers(db, accountId);
  const user = email === undefined ? users[0] : users.find(({ email_key }) => email_key === emailKey(email.trim()));
  if (!user) throw notFound(email === undefined ? 'A user of the account' : `The user "${email}" of the account`);
  return user;
}
