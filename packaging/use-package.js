import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/*
 * Makes tests import the modules of the package in FREEHOLD_PACKAGE in place of those in `src`: see packaging/test.ts.
 */

const sources = new URL('../src/', import.meta.url).href;
const compiled = pathToFileURL(`${process.env.FREEHOLD_PACKAGE}/lib/`).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    if (!found.url.startsWith(sources) || /\.test\.ts$/.test(found.url)) return found;
    const url = compiled + found.url.slice(sources.length).replace(/\.ts$/, '.js');
    return { ...found, url, format: 'module' };
  },
});
