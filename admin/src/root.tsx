import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect, useLayoutEffect } from 'react';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { nonce } from './nonce.ts';
import { Messages } from './parts/messages.tsx';
import { queryClient } from './queries.ts';
import { cssVariables, theme } from './theme.ts';

interface RootProps {
  /** The address to render in the build, where there is no browser. */
  readonly path?: string;
  /** Called when the elements have been created, before any effect reads them. */
  readonly onBuilt?: () => void;
  /** Called once hydration is complete. */
  readonly onShown?: () => void;
}

/** The root component of the app. */
export function Root({ path, onBuilt, onShown }: RootProps) {
  useLayoutEffect(() => onBuilt?.(), [onBuilt]);
  useEffect(() => onShown?.(), [onShown]);
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
          {/* The build knows no query string: hydration needs the same, and the real one is used from the second render on. */}
          <Router ssrPath={path} ssrSearch="">
            <App />
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
