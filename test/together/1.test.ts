import { loadShare } from '../shares.ts';

await loadShare(import.meta.filename);
