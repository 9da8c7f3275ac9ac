import type { SessionJson } from './contract.ts';
import { createStore, useStore } from './store.ts';

/*
 * Sessions end while the app is open. The screens stay then as they are, with all that was typed, and cover.tsx lies over
 * them; what is asked of the service meanwhile waits. When the same person is back, it is asked (again), and all goes on.
 * For anybody else there is a new document.
 */

interface Owner {
  readonly user: number;
  readonly account: number;
}

/** Who the screens belong to: undefined until the service has said so. */
let owner: Owner | undefined;

/** Between the end of the session and the person's return. */
const wait = createStore<{ readonly over: Promise<void>; readonly end: () => void } | undefined>(undefined);

/** Tells whether the session has ended while its screens are still open. */
export function hasEnded(): boolean {
  return wait.get() !== undefined;
}

export function useHasEnded(): boolean {
  return useStore(wait) !== undefined;
}

/** The service knows of no session. Says whether there was one: who has not been here has nothing to come back to. */
export function noteEnd(): boolean {
  if (owner && !hasEnded()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    wait.set({ over: promise, end: resolve });
  }
  return hasEnded();
}

/** Whose session the service says it is. Does not return where that is somebody else than before. */
export async function noteSession({ user, account }: SessionJson): Promise<void> {
  if (owner && (owner.user !== user.id || owner.account !== account.id)) return beginAnew('/pages');
  owner = { user: user.id, account: account.id };
  wait.get()?.end();
  if (hasEnded()) wait.set(undefined);
}

/** Does what takes a session: where that has ended, when the same person is back. */
export async function whileSignedIn<T>(ask: () => Promise<T>, isRefused: (error: unknown) => boolean): Promise<T> {
  await wait.get()?.over;
  try {
    return await ask();
  } catch (error) {
    if (!isRefused(error) || !noteEnd()) throw error;
  }
  await wait.get()?.over;
  // Once: what is refused to somebody who is signed in is refused for another reason.
  return ask();
}

/**
 * What tells the service whose the screens are: one browser has one session, and in another tab somebody else may have
 * signed in, or the same person to another site. It refuses then what is asked here in their name.
 */
export function ownerHeader(): Record<string, string> {
  return owner ? { 'Freehold-Owner': `${owner.account}/${owner.user}` } : {};
}

/** Whether this tab was somebody else's until now. Says so once. */
export function takeFollowed(): boolean {
  try {
    const hasFollowed = sessionStorage.getItem(FOLLOWED) !== null;
    sessionStorage.removeItem(FOLLOWED);
    return hasFollowed;
  } catch {
    return false;
  }
}

/** Signed out, by oneself: nobody is waited for, and whoever goes back sees nothing of what was here. */
export function leave(): void {
  document.body.hidden = true;
  location.assign('/sign-in');
}

const FOLLOWED = 'freehold:followed';

/** Nothing of what is here is sent any more, or seen by the next person. The next document says that it is another's. */
function beginAnew(path: string): Promise<never> {
  noteEnd();
  try {
    sessionStorage.setItem(FOLLOWED, '1');
  } catch {
    // Where there is no storage, the name at the top alone tells.
  }
  location.replace(path);
  return new Promise(() => {});
}
