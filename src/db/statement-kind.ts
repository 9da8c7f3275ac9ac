import { isCopyFrom } from './postgres-copy.ts';

/** True if the statement may change or lock rows: statements that only read do not have these words. */
export function mayChange(text: string): boolean {
  return /\b(insert into|update|delete from)\b/i.test(text) || isCopyFrom(text);
}
