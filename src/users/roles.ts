import type { UserActor } from '../audit/record-audit-event.ts';
import type { UsersTable } from '../db/schema.ts';
import { AppError } from '../errors.ts';

export type Role = UsersTable['role'];

/** A user of the account who is signed in and changes it. */
export interface ActingUser extends UserActor {
  readonly role: Role;
}

/** The permissions that a role can have in an account. */
export const permissions = [
  'view_pages',
  /** See the revenue from the account's customers. */
  'view_revenue',
  /** Change the contents of pages. */
  'edit_pages',
  /** Create, move and delete pages. */
  'administer_pages',
  'manage_users',
  'update_settings',
  'update_theme',
  /** See the account's customers. */
  'view_customers',
  /** Create, change, suspend, restore and delete customers, mail them, and keep notes on them. */
  'manage_customers',
  /** Change the plans that the account sells. */
  'manage_plans',
  /** Change the brand that customers see instead of the product's name. */
  'manage_brand',
] as const;
export type Permission = (typeof permissions)[number];

/**
 * The roles. Accountants see only customers and revenue; the others are ordered by power, the least first. Owners have the
 * permissions of admins, and only owners can make other owners.
 */
export const roles = ['accountant', 'viewer', 'editor', 'admin', 'owner'] as const satisfies readonly Role[];

const allowed: Readonly<Record<Role, readonly Permission[]>> = {
  accountant: ['view_customers', 'view_revenue'],
  viewer: ['view_pages'],
  editor: ['view_pages', 'edit_pages', 'administer_pages'],
  admin: permissions,
  owner: permissions,
};

export function permissionsOf(role: Role): readonly Permission[] {
  return allowed[role];
}

export function roleOf(text: string): Role | undefined {
  return roles.find((role) => role === text);
}

/**
 * Checks that `by` may give the role, or change a user who has it: only owners manage owners.
 * @throws AppError `forbidden`
 */
export function checkMayGive(by: Role, role: Role): void {
  if (role === 'owner' && by !== 'owner')
    throw new AppError('forbidden', 'Only an owner can add, change or remove owners.');
}
