import { loadShare } from '../../test/shares.ts';

await loadShare(import.meta.filename);
