/* What a page is called is for its site to say, and its preview here says the same: that file imports nothing. */
export { documentTitle } from '../../src/sites/page-title.ts';
