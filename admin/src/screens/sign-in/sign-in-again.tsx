import { Anchor } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ModalCover } from '../../parts/cover.tsx';
import { askSession, sessionQuery, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { forgottenPath, SignInForm } from './sign-in.tsx';

const words = strings.signInAgain;

/**
 * Covers the app when the session has ended. It disappears when the same user has signed in again, here or in another tab.
 * It names the site and not the user, because anybody may see the screen by now.
 */
export function SignInAgain() {
  const client = useQueryClient();
  const { subdomain } = useSession().account;
  const look = async () => client.setQueryData(sessionQuery.queryKey, await askSession());
  const lookAgain = () => void look().catch(() => {});
  useWindowEvent('focus', lookAgain);
  // Changing the password ends the session for a moment.
  useEffect(lookAgain, []);
  return (
    <ModalCover label={words.title}>
      <SignInForm account={subdomain} title={words.title} text={words.text(subdomain)} onSignedIn={look}>
        {() => (
          <>
            <Anchor href={forgottenPath(subdomain)} target="_blank" size="sm">
              {strings.signIn.forgotten}
            </Anchor>
            <Anchor href="/sign-in" size="sm">
              {words.leave}
            </Anchor>
          </>
        )}
      </SignInForm>
    </ModalCover>
  );
}
