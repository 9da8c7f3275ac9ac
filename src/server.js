import { useCompileCache } from './compile-cache.js';

useCompileCache();
const { run } = await import('./service/main.ts');
await run();
