import { api } from '../api.ts';
import { ownerHeader } from '../signed-in.ts';

/*
 * The latest changes of this tab, which can still be undone when their messages have closed or the page was reloaded. The
 * service keeps what an undo needs for 30 days.
 */

export interface UndoCall {
  readonly call: 'undo' | 'deletePage' | 'restoreMedia';
  readonly id: number;
}

interface LatestChange extends UndoCall {
  /** The message that announced the change. */
  readonly message: string;
  readonly at: number;
  /** The user who made the change, because another user may use this tab later. */
  readonly owner: string;
}

const KEY = 'app:latest-changes';
const MAX_CHANGES = 20;

/** How long the shortcut undoes a change: later, users no longer remember what their latest change was. */
const MAX_AGE_MS = 60 * 60 * 1000;

/** Records a change as the latest. */
export function recordChange(message: string, { call, id }: UndoCall): void {
  write([...read(), { message, call, id, at: Date.now(), owner: ownerOf() }].slice(-MAX_CHANGES));
}

/** Removes a change that has been undone. */
export function removeChange({ call, id }: UndoCall): void {
  write(read().filter((change) => change.call !== call || change.id !== id));
}

/** Removes and returns the latest change that can be undone. */
export function takeLatestChange(): LatestChange | undefined {
  const changes = read().filter(({ at, owner }) => owner === ownerOf() && at > Date.now() - MAX_AGE_MS);
  const latest = changes.pop();
  write(changes);
  return latest;
}

/** Undoes a change on the service. */
export async function undoOnService({ call, id }: UndoCall): Promise<void> {
  await api[call](id);
}

function ownerOf(): string {
  return Object.values(ownerHeader()).join();
}

function read(): readonly LatestChange[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

function write(changes: readonly LatestChange[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(changes));
  } catch {
    // Without storage, a change can be undone only while its message is shown.
  }
}
