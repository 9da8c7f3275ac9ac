import { useCompileCache } from './compile-cache.ts';

useCompileCache();
const { run } = await import('./service/main.ts');
await run();
