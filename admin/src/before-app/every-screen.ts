import { loadApp } from './load-app.ts';

// What stands in a page that has nothing to show but what came with it.
loadApp();
