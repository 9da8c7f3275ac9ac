import { formatAccountId } from '../accounts/account.ts';
import { findAccountAtOwnHost } from '../accounts/subdomain.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { openMediaStore } from '../media/open-store.ts';
import { examine } from '../operations/doctor.ts';
import type { Problem } from '../operations/findings.ts';
import { command } from './command.ts';
import { printable } from './output.ts';

export const doctorCommand = command({
  about: 'Checks that the database is consistent and that no image is missing.',
  details: 'Changes nothing. The service may be running. Prints a line for each problem; the exit code is then 1.',
  example: '',
  database: 'existing',
  mayTakeLong: true,
  async run({ config, db }) {
    const { problems, notes: found } = await examine(db, openMediaStore(config));
    const ok = problems.length === 0;
    // Accounts can be read only if the schema is the expected one.
    const notes = ok ? [...found, ...(await hiddenSite(db, config))] : found;
    const lines = [
      ...problems.map(({ check, message }) => printable(`${check}: ${message}`)),
      ...(ok ? ['No problems were found.'] : []),
      ...notes.map(({ check, message }) => printable(`For your information: ${check}: ${message}`)),
    ];
    return { text: lines.join('\n'), json: { ok, problems, notes }, exitCode: ok ? 0 : 1 };
  },
});

/** Returns a note if PUBLIC_URL hides the site of an account: its data is right, but visitors cannot see it. */
async function hiddenSite(db: Db, config: Config): Promise<Problem[]> {
  const id = await findAccountAtOwnHost(db, config);
  if (id === undefined) return [];
  const message = `${formatAccountId(id)}: its subdomain is the host of PUBLIC_URL, so its site cannot be seen: see account subdomain.`;
  return [{ check: 'names', message }];
}
