import { AppError } from '../../errors.ts';
import type { Permission } from '../../users/roles.ts';
import type { AdminRequest, SignedInRequest } from './route.ts';
import type { AdminDependencies } from './routes.ts';

/**
 * Finds out whose session it is, and whether they may.
 * @throws AppError `unauthorized`, `suspended` or `forbidden`
 */
export async function signedIn(
  _dependencies: AdminDependencies,
  _request: AdminRequest,
  _needs: 'session' | Permission,
): Promise<SignedInRequest> {
  throw new AppError('unauthorized', 'Sign in first.');
}
