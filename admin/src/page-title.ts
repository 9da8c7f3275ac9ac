/* The sites define the title of a page, which the editor previews. Their page-title.ts imports nothing else of the service. */
export { documentTitle } from '../../src/sites/page-title.ts';
