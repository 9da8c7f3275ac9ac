import { hasCustomers } from '../customers/has-customers.ts';
import type { Db } from '../db/database.ts';
import { permissionsOf } from '../users/roles.ts';
import { findSession } from '../users/sessions.ts';

/** The screen that people see first, which is also the first entry of their menu. */
export type FirstScreen = 'overview' | 'pages';

/** Returns the first screen of the session's user, or undefined if the session has ended. */
export async function findFirstScreen(db: Db, token: string): Promise<FirstScreen | undefined> {
  const session = await findSession(db, token);
  if (!session) return undefined;
  const maySee = permissionsOf(session.role).includes('view_customers');
  return maySee && (await hasCustomers(db, session.accountId)) ? 'overview' : 'pages';
}
