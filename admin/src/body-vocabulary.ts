/* Which elements a body may have on a site is for the sites to say: that file imports nothing. */
export { blockNames, dropped, editorClasses, inlineNames, replacements } from '../../src/sites/body/vocabulary.ts';
