import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api.ts';
import type { SignInJson } from '../../contract.ts';
import { choosePasskey, knowsPasskeys, offerPasskeys, withdrawPasskeys } from '../../passkeys.ts';

/** A challenge is valid for 10 minutes, and the page may stay open for longer. */
const RENEW_INTERVAL_MS = 8 * 60_000;

/**
 * Signs in with a passkey: by the button, or by the browser's offer in the field for the address. `isPossible` is undefined until
 * it is known whether passkeys work here. They mostly do, so the button keeps its place until then. `finish` gets the answer.
 */
export function usePasskey(account: string | undefined, finish: (answer: SignInJson) => Promise<SignInJson>) {
  const [isPossible, setPossible] = useState<boolean>();
  const signIn = useMutation({
    mutationFn: async (given?: unknown) => {
      const answer = given ?? (await choosePasskey(await api.passkeyChallenge()));
      return finish(await api.signInWithPasskey({ answer, ...(account && { account }) }));
    },
  });
  // No new offer after a failure: a browser that answers by itself would repeat it for ever.
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
    // If passkeys do not work, or the service cannot be reached, the password remains.
    const tryOffer = () => void offer().catch(() => setPossible((before) => before ?? false));
    tryOffer();
    const renewal = setInterval(tryOffer, RENEW_INTERVAL_MS);
    return () => {
      isOver = true;
      clearInterval(renewal);
    };
  }, [mutate, isIdle]);
  // Leaving the screen by a link must close the browser's passkey dialog.
  useEffect(() => () => void (knowsPasskeys && withdrawPasskeys()), []);
  return { ...signIn, isPossible };
}
