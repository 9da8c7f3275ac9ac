import { createContext, useContext } from 'react';
import type { Permission, SessionJson } from './contract.ts';

export const SessionContext = createContext<SessionJson | undefined>(undefined);

/** Who is signed in, and to which account. Only for screens behind the sign-in. */
export function useSession(): SessionJson {
  const session = useContext(SessionContext);
  if (!session) throw new Error('nobody is signed in');
  return session;
}

export function useMay(permission: Permission): boolean {
  return useSession().user.permissions.includes(permission);
}
