import type { Role } from './roles.ts';

/** Whose session it is, and what every request needs to know of them and their account. */
export interface SessionOwner {
  sessionId: number;
  userId: number;
  accountId: number;
  userName: string;
  role: Role;
  status: 'active' | 'suspended';
}
