import { createContext, useContext } from 'react';
import { api } from './api.ts';
import { isSignedOut } from './api-error.ts';
import type { Permission, SessionJson } from './contract.ts';
import { setCurrency } from './money.ts';
import { recordSession, recordSessionEnd } from './signed-in.ts';

export const SessionContext = createContext<SessionJson | undefined>(undefined);

/** Returns the signed-in user and account. Only for screens behind the sign-in. */
export function useSession(): SessionJson {
  const session = useContext(SessionContext);
  if (!session) throw new Error('nobody is signed in');
  return session;
}

let latest: Promise<SessionJson> | undefined;

/** Asks the service for the session, and lets the app continue, cover its screens or reload accordingly. */
export function askSession(): Promise<SessionJson> {
  const asked: Promise<SessionJson> = api.sessionNow().then(
    async (session) => {
      if (latest !== asked) return latest!;
      setCurrency(session.account.currency);
      await recordSession(session);
      return session;
    },
    (error) => {
      // A later request is more recent: the user may have signed in or out since.
      if (latest !== asked) return latest!;
      if (isSignedOut(error)) recordSessionEnd();
      throw error;
    },
  );
  latest = asked;
  return asked;
}

export const sessionQuery = { queryKey: ['session'], queryFn: askSession, staleTime: 60_000 };

/** The session until the service has answered. Its user has no permissions. */
export const unknownSession: SessionJson = {
  user: { id: 0, name: '', email: '', role: 'viewer', permissions: [], hasPassword: true, hasSecondFactor: false },
  hasCustomers: false,
  agency: null,
  impersonation: null,
  account: {
    id: 0,
    name: '',
    subdomain: '',
    address: '',
    language: '',
    timeZone: 'UTC',
    currency: null,
    editor: 'wysiwyg_format',
    theme: 'typographic',
    accent: '',
    secondButton: null,
    brand: null,
  },
};

/** Returns false until the service has said who is signed in. */
export function useIsKnown(): boolean {
  return useSession() !== unknownSession;
}

export function useMay(permission: Permission): boolean {
  return useSession().user.permissions.includes(permission);
}
