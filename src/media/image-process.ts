import { useCompileCache } from '../compile-cache.ts';
import type { ImageJob } from './make-forms.ts';

/*
 * What a process of `image-maker.ts` runs: it makes the images that it is sent, one after another, and ends with the
 * service. What it decodes comes from strangers, and decoders are written in C: here is nothing to be found or broken.
 */
useCompileCache();
const { makeForms } = await import('./make-forms.ts');
process.on('disconnect', () => process.exit());
process.on('message', (job: ImageJob) => void makeForms(job).then((made) => process.send!(made)));
process.send!('ready');
