import type { Page } from 'playwright-core';

/** Counts of a user's actions, which docs/stories states. */
export interface Actions {
  /** Presses of the mouse button, so that a double click counts as two. */
  clicks: number;
  /** Fields that were typed into. A field to which the user returns counts again. */
  fields: number;
}

/**
 * Counts the actions of a user from the next document of a page on, by the browser's events rather than by the calls of the
 * test. The returned function returns the counts since its last call.
 */
export async function countActions(page: Page): Promise<() => Actions> {
  let actions: Actions = { clicks: 0, fields: 0 };
  await page.exposeFunction('countAction', (kind: keyof Actions) => {
    actions[kind] += 1;
  });
  await page.addInitScript({
    content: `{
      let written;
      // Counts mousedown events, because a click on a label also clicks its field.
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
