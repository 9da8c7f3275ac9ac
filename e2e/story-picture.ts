import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Takes a screenshot for docs/stories when the stories run for them: `npm run docs:stories`. */
export async function takeStoryPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.STORY_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
