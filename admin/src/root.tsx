import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { nonce } from './nonce.ts';
import { Messages } from './parts/messages.tsx';
import { queryClient } from './queries.ts';
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
          <Messages />
          {/* What is behind the ? nobody knew when the page was written: it counts from the second moment on. */}
          <Router ssrPath={path} ssrSearch="">
            <App />
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
