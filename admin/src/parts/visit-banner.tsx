import { Button, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ImpersonationJson } from '../contract.ts';
import { showError } from '../explain.ts';
import { queryClient } from '../queries.ts';
import { useSession } from '../session.ts';
import { strings } from '../strings.ts';
import { endVisit, minutesLeft } from '../visit.ts';
import classes from './visit-banner.module.css';

const words = strings.visit;

/** Says on every screen that the website is a customer's, as which user the visitor is signed in, and for how long. */
export function VisitBanner({ impersonation }: { impersonation: ImpersonationJson }) {
  const { user, account } = useSession();
  const minutes = useMinutesLeft(impersonation);
  const end = useMutation({ mutationFn: endVisit, onError: (error) => showError(error) });
  return (
    <section className={classes.banner} aria-label={words.label} data-visit>
      <div className={classes.text}>
        {words.as} <strong>{user.name}</strong> {words.of(account.name)}
      </div>
      <div className={classes.actions}>
        <span className={classes.left}>{words.left(minutes)}</span>
        {/* Always mounted, so that screen readers announce changes in it. */}
        <VisuallyHidden role="status">{minutes <= 1 && words.soonOver}</VisuallyHidden>
        <Button
          size="xs"
          className={classes.end}
          disabled={end.isPending || end.isSuccess}
          onClick={() => end.mutate()}
          aria-label={words.endOf(user.name)}
        >
          {words.end}
        </Button>
      </div>
    </section>
  );
}

/** Returns the minutes left, rounded up. When the visit is over, reloads the session, so that the service can confirm it. */
function useMinutesLeft(impersonation: ImpersonationJson): number {
  const endsAt = useMemo(() => Date.now() + impersonation.endsIn, [impersonation]);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() > endsAt) void queryClient.invalidateQueries({ queryKey: ['session'] });
    }, 1000);
    return () => clearInterval(timer);
  }, [endsAt]);
  return minutesLeft(endsAt, now);
}
