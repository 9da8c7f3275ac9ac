import type { BodyFormat } from '../db/schema.ts';

/** A page's body as visitors get it. */
export interface RenderedBody {
  /** Safe to put into a page as it is. */
  html: string;
  /** The text alone, with single spaces: what descriptions are made of. */
  text: string;
  /** h1 to h3 in their order, each with the id it has in the html. */
  headings: Heading[];
  /** The body brings its own h1. */
  hasTitle: boolean;
}

export interface Heading {
  level: 1 | 2 | 3;
  id: string;
  text: string;
}

export function renderBody(body: string, _format: BodyFormat | ''): RenderedBody {
  throw new Error(`not written yet: ${body.length}`);
}
