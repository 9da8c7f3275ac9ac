import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// `npx vite admin` serves the app while it is being worked on, with the service of `npm start` behind it.
export default defineConfig({
  plugins: [react()],
  // The service writes a new one into every answer: see src/http/admin-app/index-page.ts.
  html: { cspNonce: 'NONCE' },
  build: {
    target: 'es2023',
    assetsDir: '-/app',
    // Nothing may come as a data: address in a style sheet or a script, where the policy would refuse it.
    assetsInlineLimit: 0,
    // For prerender.ts, and for the test of how heavy the screens are.
    manifest: true,
    // For the notices in the package: see packaging/build.ts.
    license: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/admin': 'http://localhost:8080', '/api': 'http://localhost:8080' } },
});
