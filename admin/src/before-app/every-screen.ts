import { loadApp } from './load-app.ts';

// The inline script of pages that show no data before the app has loaded.
loadApp();
