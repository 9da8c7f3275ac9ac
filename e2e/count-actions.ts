import type { Page } from 'playwright-core';

/** Counts of a person's actions, which docs/stories states. */
export interface Actions {
  /** Presses of the mouse button, so that a double click counts as two. */
  clicks: number;
  /** Fields that were written in; one that a person comes back to counts again. */
  fields: number;
}

/**
 * Counts what a person does in a page, from its next document on: by the browser's own events, and not by the calls of the
 * test. The function that it returns gives the numbers since it was called last.
 */
export async function countActions(page: Page): Promise<() => Actions> {
  let actions: Actions = { clicks: 0, fields: 0 };
  await page.exposeFunction('countAction', (kind: keyof Actions) => {
    actions[kind] += 1;
  });
  await page.addInitScript({
    content: `{
      let written;
      // A click on a label is another one on its field.
      addEventListener('mousedown', () => void countAction('clicks'), true);
      addEventListener('focusin', () => void (written = undefined), true);
      addEventListener('input', ({ target }) => {
        if (target !== written && !/radio|file/.test(target.type)) countAction('fields');
        written = target;
      }, true);
    }`,
  });
  return () => {
    const counted = actions;
    actions = { clicks: 0, fields: 0 };
    return counted;
  };
}
