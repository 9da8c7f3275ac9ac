import { useCompileCache } from '../compile-cache.js';

/*
 * What a process of `image-maker.ts` runs: it makes the images that it is sent, one after another, and ends with the
 * service. What it decodes comes from strangers, and decoders are written in C: here is nothing to be found or broken.
 */
useCompileCache();
const { makeForms } = await import('./make-forms.ts');
const tell = (/** @type {unknown} */ what) => process.send?.(what);
process.on('disconnect', () => process.exit());
process.on('message', (/** @type {import('./make-forms.ts').ImageJob} */ job) => void makeForms(job).then(tell));
tell('ready');
