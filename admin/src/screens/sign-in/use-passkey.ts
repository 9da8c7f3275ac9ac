import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api.ts';
import type { SignInJson } from '../../contract.ts';
import { choosePasskey, knowsPasskeys, offerPasskeys, withdrawPasskeys } from '../../passkeys.ts';

/** A challenge is valid for 10 minutes, and the page may stay open for longer. */
const RENEW_INTERVAL_MS = 8 * 60_000;

/**
 * Signing in with a passkey: by the button, or from what the browser offers in the field for the address. `isPossible`
 * says whether there can be any here, undefined while that is not known. Mostly there can, so the button has its place.
 * `finish` does what comes after.
 */
export function usePasskey(account: string | undefined, finish: (answer: SignInJson) => Promise<SignInJson>) {
  const [isPossible, setPossible] = useState<boolean>();
  const signIn = useMutation({
    mutationFn: async (given?: unknown) => {
      const answer = given ?? (await choosePasskey(await api.passkeyChallenge()));
      return finish(await api.signInWithPasskey({ answer, ...(account && { account }) }));
    },
  });
  // Not again after a failure: the browser might answer by itself, and for ever.
  const { mutate, isIdle } = signIn;
  useEffect(() => {
    if (!knowsPasskeys) setPossible(false);
    if (!knowsPasskeys || !isIdle) return;
    let isOver = false;
    const offer = async () => {
      const options = await api.passkeyChallenge();
      if (isOver) return;
      setPossible(true);
      const answer = await offerPasskeys(options);
      if (answer !== undefined && !isOver) mutate(answer);
    };
    // Where there cannot be any, or the service cannot be reached, there is the password.
    const tryOffer = () => void offer().catch(() => setPossible((before) => before ?? false));
    tryOffer();
    const renewal = setInterval(tryOffer, RENEW_INTERVAL_MS);
    return () => {
      isOver = true;
      clearInterval(renewal);
    };
  }, [mutate, isIdle]);
  // A link within the app must not leave the browser's question open.
  useEffect(() => () => void (knowsPasskeys && withdrawPasskeys()), []);
  return { ...signIn, isPossible };
}
