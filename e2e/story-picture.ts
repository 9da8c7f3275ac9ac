import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Takes a picture for docs/stories, if the stories are told for their pictures: `npm run docs:stories`. */
export async function takeStoryPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.STORY_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
