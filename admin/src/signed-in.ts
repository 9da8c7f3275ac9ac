import type { SessionJson } from './contract.ts';
import { firstPath } from './first-screen.ts';
import { createStore, useStore } from './store.ts';

/*
 * Sessions end while the app is open. The screens then stay as they are, with everything typed, and cover.tsx covers them.
 * Requests wait, and are sent (again) when the same user has signed in. For another user, the page is reloaded.
 */

interface Owner {
  readonly user: number;
  readonly account: number;
}

/** The user whose data the screens show, or undefined until the service has named them. */
let owner: Owner | undefined;

/** Set while the session has ended and the user has not signed in again. */
const wait = createStore<{ readonly over: Promise<void>; readonly end: () => void } | undefined>(undefined);

/** True if the session has ended while its screens are still open. */
export function hasEnded(): boolean {
  return wait.get() !== undefined;
}

export function useHasEnded(): boolean {
  return useStore(wait) !== undefined;
}

/** Records that there is no session. Returns true if there was one before, whose screens must now be covered. */
export function recordSessionEnd(): boolean {
  if (owner && !hasEnded()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    wait.set({ over: promise, end: resolve });
  }
  return hasEnded();
}

/** Records whose session it is. Reloads the page and never resolves if the user has changed. */
export async function recordSession(session: SessionJson): Promise<void> {
  const { user, account } = session;
  if (owner && (owner.user !== user.id || owner.account !== account.id)) return reloadForOtherUser(firstPath(session));
  owner = { user: user.id, account: account.id };
  wait.get()?.end();
  if (hasEnded()) wait.set(undefined);
}

/** Sends a request that needs a session. If the session has ended, waits until the same user has signed in. */
export async function whileSignedIn<T>(ask: () => Promise<T>, isRefused: (error: unknown) => boolean): Promise<T> {
  await wait.get()?.over;
  try {
    return await ask();
  } catch (error) {
    if (!isRefused(error) || !recordSessionEnd()) throw error;
  }
  await wait.get()?.over;
  // Only one retry: with a session, a refusal has another reason.
  return ask();
}

/**
 * Returns the header that names the user whose screens these are. A browser has one session for all tabs: in another tab,
 * another user may have signed in, or the same user to another site. The service then refuses requests from these screens.
 */
export function ownerHeader(): Record<string, string> {
  return owner ? { 'Session-Owner': `${owner.account}/${owner.user}` } : {};
}

/** Returns true, once, if this tab showed another user's screens until now. */
export function takeUserChange(): boolean {
  try {
    const hasChanged = sessionStorage.getItem(USER_CHANGED) !== null;
    sessionStorage.removeItem(USER_CHANGED);
    return hasChanged;
  } catch {
    return false;
  }
}

/** Leaves the app after signing out. The browser's Back button shows nothing of the screens. */
export function leave(): void {
  goTo('/sign-in');
}

/** Goes to a screen of another account, or of none. Reloads the document, so that no data of these screens stays in memory. */
export function goTo(path: string): void {
  document.body.hidden = true;
  location.assign(path);
}

const USER_CHANGED = 'app:followed';

/** Reloads the page for another user, so that none of these screens' data is sent or seen. The new page says so. */
function reloadForOtherUser(path: string): Promise<never> {
  recordSessionEnd();
  try {
    sessionStorage.setItem(USER_CHANGED, '1');
  } catch {
    // Without storage, only the name at the top shows the change of user.
  }
  location.replace(path);
  return new Promise(() => {});
}
