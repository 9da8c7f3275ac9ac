import type { SessionJson } from './contract.ts';
import { firstPath } from './first-screen.ts';
import { createStore, useStore } from './store.ts';

/*
 * Sessions end while the app is open. The screens then stay as they are, with everything that was typed, and cover.tsx lies
 * over them. Requests wait, and are sent (again) when the same person has signed in. For anybody else the page is loaded anew.
 */

interface Owner {
  readonly user: number;
  readonly account: number;
}

/** The user whose data the screens show; undefined until the service has named them. */
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

/** Notes that the service knows no session. Returns whether there was one, so that its screens have to be covered. */
export function noteEnd(): boolean {
  if (owner && !hasEnded()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    wait.set({ over: promise, end: resolve });
  }
  return hasEnded();
}

/** Notes whose session it is. Does not return if that is somebody else than before. */
export async function noteSession(session: SessionJson): Promise<void> {
  const { user, account } = session;
  if (owner && (owner.user !== user.id || owner.account !== account.id)) return beginAnew(firstPath(session));
  owner = { user: user.id, account: account.id };
  wait.get()?.end();
  if (hasEnded()) wait.set(undefined);
}

/** Sends a request that takes a session. If that has ended, it waits until the same person has signed in. */
export async function whileSignedIn<T>(ask: () => Promise<T>, isRefused: (error: unknown) => boolean): Promise<T> {
  await wait.get()?.over;
  try {
    return await ask();
  } catch (error) {
    if (!isRefused(error) || !noteEnd()) throw error;
  }
  await wait.get()?.over;
  // Only once: with a session, a refusal has another reason.
  return ask();
}

/**
 * Returns the header that says who the screens belong to. One browser has one session: in another tab somebody else may have
 * signed in, or the same person to another site. The service then refuses requests of these screens.
 */
export function ownerHeader(): Record<string, string> {
  return owner ? { 'Session-Owner': `${owner.account}/${owner.user}` } : {};
}

/** Tells, once, whether this tab belonged to somebody else until now. */
export function takeFollowed(): boolean {
  try {
    const hasFollowed = sessionStorage.getItem(FOLLOWED) !== null;
    sessionStorage.removeItem(FOLLOWED);
    return hasFollowed;
  } catch {
    return false;
  }
}

/** Leaves the app after signing out. Going back in the browser shows nothing of the screens. */
export function leave(): void {
  goTo('/sign-in');
}

/** Goes to a screen of another account, or of none. Nothing of these screens is in memory then. */
export function goTo(path: string): void {
  document.body.hidden = true;
  location.assign(path);
}

const FOLLOWED = 'app:followed';

/** Loads the page anew for another person, so that nothing of these screens is sent or seen. The new page says that. */
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
