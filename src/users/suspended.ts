import { AppError } from '../errors.ts';

/** Returns the error for requests to an account that is suspended. */
export function suspended(): AppError {
  return new AppError('suspended', 'This website is suspended. Whoever set it up for you can tell you more.');
}
