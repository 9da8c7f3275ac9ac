/* The sites define which elements a body may contain. vocabulary.ts imports nothing else of the service. */
export { blockNames, dropped, editorClasses, inlineNames, replacements } from '../../src/sites/body/vocabulary.ts';
