import { AppError } from '../errors.ts';

/** Refuses what somebody wants to do on a website that is suspended. */
export function suspended(): AppError {
  return new AppError('suspended', 'This website is suspended. Whoever set it up for you can tell you more.');
}
