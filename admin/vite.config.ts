import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// For development, `npx vite admin` serves the app in front of a service started by `npm start`.
export default defineConfig({
  plugins: [react()],
  // The service replaces this by a new nonce in every answer: see src/http/admin-app/index-page.ts.
  html: { cspNonce: 'NONCE' },
  build: {
    target: 'es2023',
    assetsDir: '-/app',
    // The content security policy refuses data: addresses in style sheets and scripts.
    assetsInlineLimit: 0,
    // For prerender.ts, and for the test of the screens' weight.
    manifest: true,
    // For the license notices in the package: see packaging/build.ts.
    license: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/admin': 'http://localhost:8080', '/api': 'http://localhost:8080' } },
});
