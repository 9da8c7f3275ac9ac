/* What can be embedded is for the sites to say, and their sanitiser says it here too: that file imports nothing. */
export { type Embed, embedOf, embedSize, webUrl } from '../../src/sites/body/embed-address.ts';
