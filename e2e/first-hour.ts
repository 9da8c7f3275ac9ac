import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { runCli } from '../test/cli.ts';
import { countActions } from './count-actions.ts';
import { takeStoryPicture } from './story-picture.ts';
import { newCustomerPage, publishBy, type TestApp, toast, tokenLink } from './test-app.ts';

/** Tests the story of docs/stories/first-hour.md, including its counts of clicks and fields. */
export function firstHour(app: TestApp) {
  return async (t: TestContext) => {
    const viewport = { width: 1280, height: 800 };
    const { context, page, address, subdomain } = await newCustomerPage(t, app, { isUntouched: true, viewport });
    const mail = app.mailbox.messages.find(({ email }) => email.text?.includes(`account=${subdomain}`));
    const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    const toDo = page.getByRole('region', { name: 'Next steps' });

    await t.test('the agency enters name, address and password on one screen, before the hour begins', async () => {
      const { out } = await runCli(app.database, 'user', 'sign-in-link', '--account', 'agency');
      await page.goto(new URL(address).origin + /\/sign-in#token=\S+/.exec(out)![0]);
      await page.getByLabel('Your name').fill('Olivia Owner');
      await page.getByLabel('E-mail address').fill('olivia@example.com');
      await page.getByRole('textbox', { name: 'Password' }).fill('copper lantern meadow');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: /^Olivia Owner/ }).waitFor();
    });

    const counted = await countActions(page);
    await t.test('the customer sets a password through the link in the mail in 1 click and 1 field', async () => {
      await page.goto(tokenLink.exec(mail!.email.text!)![0]);
      await page.getByRole('textbox', { name: 'New password' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('flour and water');
      await page.getByRole('button', { name: 'Save and sign in' }).click();
      await toDo.waitFor();
      await takeStoryPicture(page, 'first-hour-begin');
      assert.deepEqual(counted(), { clicks: 1, fields: 1 });
    });

    await t.test('the name of the site is changed in 2 clicks and 1 field', async () => {
      await toDo.getByRole('link', { name: 'Check the name' }).click();
      await page.getByLabel('Name of the site').fill('Linden Bakery');
      await save(page);
      assert.deepEqual(counted(), { clicks: 2, fields: 1 });
    });

    await t.test('a theme and a colour are chosen in 5 clicks', async () => {
      await page.getByRole('link', { name: 'Look', exact: true }).click();
      await page.getByText('For services and shops').click();
      await page.getByRole('textbox', { name: 'Colour' }).click();
      await page.locator('.mantine-ColorInput-dropdown .mantine-ColorSwatch-root').nth(4).click();
      await save(page);
      await takeStoryPicture(page, 'first-hour-look');
      assert.deepEqual(counted(), { clicks: 5, fields: 0 });
    });

    await t.test(
      'the first page gets a text and an image, and its publication opens the site, in 10 clicks and 2 fields',
      async () => {
        await entry('Pages').click();
        await toDo.getByRole('link', { name: 'Write your first text' }).click();
        await write(page, 'Bread from our own oven, six days a week.');
        await insertPicture(page, 'Loaves in our window');
        await takeStoryPicture(page, 'first-hour-write');
        await publishFirst(page);
        assert.deepEqual(counted(), { clicks: 10, fields: 2 });
      },
    );

    await t.test('two more existing pages get a text and an image in 11 clicks and 2 fields each', async () => {
      for (const [name, text, alt] of [
        ['About', 'Three bakers and an apprentice.', 'The four of us before the shop'],
        ['Contact', 'Open from Monday to Saturday, six to six.', 'Our door, under the linden'],
      ] as const) {
        await entry('Pages').click();
        await page.getByRole('tree').getByText(name).dblclick();
        await write(page, text);
        await insertPicture(page, alt);
        await publishFirst(page);
        assert.deepEqual(counted(), { clicks: 11, fields: 2 });
      }
    });

    await t.test('a page with an image is added in 8 clicks and 3 fields', async () => {
      await entry('Pages').click();
      await page.getByRole('button', { name: 'New page' }).click();
      await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor();
      await page.keyboard.type('Our bread');
      await page.getByRole('button', { name: 'Create and edit' }).click();
      await page.getByRole('textbox', { name: 'Text of the page' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('Rye, spelt and wheat.');
      await insertPicture(page, 'Rye bread');
      await publishFirst(page);
      assert.deepEqual(counted(), { clicks: 8, fields: 3 });
    });

    await t.test('the customer’s own domain is added in 3 clicks and 1 field', async () => {
      await entry('Pages').click();
      await toDo.getByRole('link', { name: 'Use an address' }).click();
      await page.getByLabel('Your domain').fill('www.linden-bakery.example');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Create this entry. It proves').waitFor();
      await takeStoryPicture(page, 'first-hour-domain');
      assert.deepEqual(counted(), { clicks: 3, fields: 1 });
    });

    await t.test('a page is deleted and restored in 4 clicks', async () => {
      await entry('Pages').click();
      const services = page.getByRole('treeitem', { name: 'Services' });
      await services.click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await services.waitFor({ state: 'detached' });
      await toast(page, 'Services').waitFor();
      await takeStoryPicture(page, 'first-hour-undo');
      await toast(page, 'Services').getByRole('button', { name: 'Undo' }).click();
      await services.waitFor();
      await toDo.waitFor({ state: 'detached' });
      assert.deepEqual(counted(), { clicks: 4, fields: 0 });
    });

    await t.test('the finished site opens in 1 click', async () => {
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: 'View site' }).click();
      const site = await opened;
      await site.getByText('six days a week').waitFor();
      await site.getByRole('img', { name: 'Loaves in our window' }).waitFor();
      await takeStoryPicture(site, 'first-hour-site');
      assert.deepEqual(counted(), { clicks: 1, fields: 0 });
    });
  };
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page, 'Saved').waitFor();
}

/** Replaces the default text of the page. */
async function write(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Text of the page' });
  await editor.getByRole('paragraph').first().click({ clickCount: 3 });
  await page.keyboard.type(text);
}

/** Inserts an image below the line of the cursor, and describes it. */
async function insertPicture(page: Page, alt: string): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Image', exact: true }).click();
  const fileChooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog', { name: 'Image' }).getByText('Upload images').click();
  await (await fileChooser).setFiles({
    name: 'bread.jpg',
    mimeType: 'image/jpeg',
    buffer: await drawBread(alt.length),
  });
  await page.getByLabel('What does this image show?').click();
  await page.keyboard.type(alt);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

/** Publishes an unpublished page. */
async function publishFirst(page: Page): Promise<void> {
  await publishBy(page, () => page.getByRole('button', { name: 'Publish', exact: true }).click());
}

/** Draws a loaf on a cloth. Each seed gives another picture. */
function drawBread(seed: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 600" width="900" height="600">
    <rect width="900" height="600" fill="hsl(${seed * 7} 35% 82%)"/><ellipse cx="450" cy="460" rx="360" ry="40" fill="#0002"/>
    <path d="M120 420q20-270 330-270t330 270q0 50-60 50H180q-60 0-60-50z" fill="#b06a2c"/>
    <path d="M260 240l60 130M400 200l60 150M540 205l60 150" stroke="#ead9c4" stroke-width="26" stroke-linecap="round"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}
