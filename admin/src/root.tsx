import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { nonce } from './nonce.ts';
import { queryClient } from './queries.ts';
import { strings } from './strings.ts';
import { cssVariables, theme } from './theme.ts';

/** All of the app. `path` is for where there is no browser: the build writes what each address shows at first. */
export function Root({ path }: { path?: string }) {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <aside aria-label={strings.notifications}>
            <Notifications position="bottom-center" limit={4} withinPortal={false} />
          </aside>
          {/* What is behind the ? nobody knew when the page was written: it counts from the second moment on. */}
          <Router ssrPath={path} ssrSearch="">
            <App />
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
