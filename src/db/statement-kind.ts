import { isCopyFrom } from './postgres-copy.ts';

/** Whether the statement may change rows, or lock them: reading statements do not have these words. */
export function mayChange(text: string): boolean {
  return /\b(insert into|update|delete from)\b/i.test(text) || isCopyFrom(text);
}
