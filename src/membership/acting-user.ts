import type { Actor } from '../audit/record-audit-event.ts';
import type { Role } from '../users/roles.ts';

/** A user of the account who is signed in and changes it. */
export interface ActingUser extends Actor {
  readonly userId: number;
  readonly role: Role;
}
