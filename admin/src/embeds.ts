/* The sites define what can be embedded, for their sanitizer, too. embed-address.ts imports nothing else of the service. */
export { type Embed, embedOf, embedSize, webUrl } from '../../src/sites/body/embed-address.ts';
