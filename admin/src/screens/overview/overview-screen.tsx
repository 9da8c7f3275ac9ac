import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { Attention } from './attention.tsx';
import { Business } from './business.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './overview.module.css';
import { words } from './words.ts';

/** Shows which of the account's customers need attention, and the figures of the business. */
export default function OverviewScreen() {
  return (
    <div className={classes.screen}>
      <ScreenTitle mb="xs">{words.title}</ScreenTitle>
      <Text mb="lg" className={classes.text}>
        {words.text}
      </Text>
      <Overview />
    </div>
  );
}

function Overview() {
  const query = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => api.overview(signal),
    // The figures may change in another tab.
    staleTime: 0,
  });
  const overview = query.data;
  return (
    <>
      <QueryState query={query} h={320} />
      {overview?.steps && <FirstSteps steps={overview.steps} />}
      {overview && (!overview.steps || overview.steps.hasCustomer) && (
        <>
          <Attention overview={overview} />
          <Business overview={overview} />
        </>
      )}
    </>
  );
}
