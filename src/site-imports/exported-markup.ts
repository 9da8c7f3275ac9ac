import { classNames, editorClasses } from '../sites/body/vocabulary.ts';
import type { Element } from './parse-html.ts';

/* The meaning of the classes in exports of WordPress and Ghost. */

/** The classes of lists of figures, which WordPress used for galleries before 5.9. */
const galleryLists: ReadonlySet<string> = new Set(['blocks-gallery-grid', 'wp-block-gallery']);

export function isGallery(element: Element): boolean {
  return element.name === 'ul' && classesIn(element).some((name) => galleryLists.has(name));
}

/** The cards of Ghost that consist of one link, with the classes of the boxes inside. */
export const linkCards = [
  { name: 'kg-bookmark-card', title: 'kg-bookmark-title', text: 'kg-bookmark-description' },
  { name: 'kg-file-card', title: 'kg-file-card-title', text: 'kg-file-card-caption' },
];

/** The controls of Ghost's players, which work only with its script. */
const controls: ReadonlySet<string> = new Set([
  'kg-audio-hide',
  'kg-audio-player',
  'kg-video-overlay',
  'kg-video-player-container',
]);

export function isControl(element: Element): boolean {
  return classesIn(element).some((name) => controls.has(name));
}

export function hasClass(element: Element, name: string): boolean {
  return classesIn(element).includes(name);
}

function classesIn({ attribs }: Element): string[] {
  return (attribs.class ?? '').split(/\s+/);
}

/** Returns our classes for WordPress's classes, and for the alignment that its older editor writes as a style. */
export function classesOf({ class: text = '', style = '' }: Readonly<Record<string, string>>): string {
  const classes = new Set<string>();
  for (const name of text.split(/\s+/)) {
    const aligned = /^has-text-align-(left|center|right)$/.exec(name)?.[1];
    if (aligned) classes.add(`align-${aligned}`);
    else if (editorClasses.has(name)) classes.add(editorClasses.get(name)!);
    else if (classNames.has(name) || /^language-[\w+#.-]{1,40}$/.test(name)) classes.add(name);
  }
  const aligned = /(?:^|;)\s*text-align:\s*(left|center|right|justify)/i.exec(style)?.[1];
  if (aligned) classes.add(`align-${aligned.toLowerCase()}`);
  return [...classes].join(' ');
}
