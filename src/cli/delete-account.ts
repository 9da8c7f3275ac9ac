import { formatAccountId } from '../accounts/account.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { purgeAccount } from '../accounts/purge-accounts.ts';
import { subdomainHeldUntil } from '../accounts/subdomain.ts';
import { operator } from '../audit/record-audit-event.ts';
import { reasonOf } from '../errors.ts';
import { removeKeptMail } from '../mail/file-transport.ts';
import { openMediaStore } from '../media/open-store.ts';
import { command, OptionError } from './command.ts';
import { ACCOUNT, findAccount } from './find-account.ts';
import { printable, time } from './output.ts';

export const deleteAccountCommand = command({
  about: 'Deletes an account with everything that belongs to it, for good.',
  details:
    `${ACCOUNT} Its people, keys, pages, images, domains, mail and log are deleted, and\n` +
    "only a backup can restore them. An account with customers cannot be deleted. Its plans, and its lines in its seller's\n" +
    'ledger, stay, but without its name.',
  positionals: ['ACCOUNT'],
  options: {
    yes: { type: 'string', value: 'SUBDOMAIN', required: true, about: "The account's subdomain, as a confirmation." },
    'release-subdomain': {
      type: 'boolean',
      about: 'Release its subdomain at once. Otherwise it stays reserved for 90 days.',
    },
  },
  example: 'bakery --yes bakery',
  async run({ config, db, positionals, values }) {
    const { id, subdomain, messages, heldUntil } = await db.transaction().execute(async (trx) => {
      const { id, subdomain, name } = await findAccount(trx, positionals[0]!);
      if (values.yes !== subdomain) {
        throw new OptionError(
          'yes',
          `is not "${subdomain}", the subdomain of "${printable(name)}" (${formatAccountId(id)})`,
        );
      }
      const releaseSubdomain = values['release-subdomain'] === true;
      const messages = await deleteAccount(trx, id, { releaseSubdomain }, operator);
      return { id, subdomain, messages, heldUntil: await subdomainHeldUntil(trx, subdomain) };
    });
    const store = openMediaStore(config);
    let imageFailure: unknown;
    const removeImages = (keys: readonly string[]) =>
      store.remove(keys).catch((error: unknown) => {
        imageFailure = error;
        throw error;
      });
    const removals = await Promise.allSettled([
      purgeAccount(db, id, removeImages),
      removeKeptMail(config.dataDir, messages),
    ]);
    // The account is inaccessible by now. The service deletes its remaining rows. Files that stay behind belong to no
    // account, and `doctor` reports image files among them.
    const mistakes = removals.flatMap((removal, index) => {
      if (removal.status === 'fulfilled') return [];
      if (index === 0 && removal.reason !== imageFailure) {
        return [
          `Not all of its data is deleted; the service deletes the rest within an hour: ${reasonOf(removal.reason)}`,
        ];
      }
      return [`Files of its ${['images', 'mail'][index]} are still there: ${reasonOf(removal.reason)}`];
    });
    return {
      text: [
        `"${subdomain}" (${formatAccountId(id)}) is deleted.`,
        heldUntil === undefined
          ? 'Its subdomain is free now.'
          : `Its subdomain stays reserved until ${time(heldUntil)}.`,
        ...mistakes,
      ].join('\n'),
      json: {
        account: { id: formatAccountId(id), subdomain, status: 'deleted' },
        subdomain_held_until: time(heldUntil ?? null),
        files_removed: mistakes.length === 0,
      },
      exitCode: mistakes.length === 0 ? 0 : 1,
    };
  },
});
