import { loadApp } from './load-app.ts';

// The entry of pages that show nothing before the app has loaded.
loadApp();
