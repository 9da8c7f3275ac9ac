import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/bricolage-grotesque/index.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { nonce } from './nonce.ts';
import { queryClient } from './queries.ts';
import { strings } from './strings.ts';
import { cssVariables, theme } from './theme.ts';

createRoot(document.getElementById('root')!).render(
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
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
