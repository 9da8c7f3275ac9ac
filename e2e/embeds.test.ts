import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from './program.ts';
import { changeFormat, checkAllLooks, publish } from './test-app.ts';
import {
  type AppWithDatabase,
  beginWriting,
  create,
  describeWithDatabase,
  html,
  markdown,
  openPage,
  shareWriter,
  storedPage,
} from './writing.ts';

/* Videos and maps in the editors, in a real browser: inserting them, changing them, and showing them on the site. */

const film = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';
const frame = (src: string, title: string, isVideo = true) =>
  `<iframe title="${title}" src="${src}" ${isVideo ? 'width="560" height="315" allowfullscreen=""' : 'width="600" height="450"'} loading="lazy"></iframe>`;
/** The code that OpenStreetMap and Google Maps offer for sharing. */
const osmCode =
  '<iframe width="425" height="350" src="https://www.openstreetmap.org/export/embed.html?bbox=16.36%2C48.2%2C16.38%2C48.21&amp;layer=mapnik" style="border: 1px solid black"></iframe><br/><small><a href="https://www.openstreetmap.org/#map=15/48.2/16.37">View Larger Map</a></small>';
const googleCode =
  '<iframe src="https://www.google.com/maps/embed?pb=!1m18!1m12!5e0!3m2!1sen!2sat!4v1" width="600" height="450" style="border:0;" allowfullscreen="" loading="lazy" referrerpolicy="no-referrer-when-downgrade"></iframe>';
const googleMap = 'https://www.google.com/maps/embed?pb=%211m18%211m12%215e0%213m2%211sen%212sat%214v1';

describeWithDatabase('the editors: embeds', {
  'a video is embedded by the button, changed and deleted by keyboard, and shown on the site': embedByButton,
  'an address pasted on an empty line becomes an embed, and “Undo” restores the address': embedByPasting,
  'an embed can be inserted at any place of the visual editor, as in lists, after headings and in quotes':
    embedAnywhere,
  'embeds in Markdown survive conversion to HTML': embedInMarkdown,
});

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' });
const boxes = (page: Page) => textOf(page).locator('.embed-box');
const button = (page: Page) => page.getByRole('button', { name: 'Embed', exact: true }).first();
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Embed a video or a map' });

async function embed(page: Page, address: string, title?: string): Promise<void> {
  await button(page).press('Enter');
  await dialogOf(page).getByLabel('Address or code').fill(address);
  if (title !== undefined) await dialogOf(page).getByLabel('Title').fill(title);
  await dialogOf(page).getByRole('button', { name: 'Embed' }).press('Enter');
  await dialogOf(page).waitFor({ state: 'hidden' });
}

function embedByButton({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, context, subdomain, siteAddress } = await beginWriting(t, app);
    const id = await create(page, { name: 'Film', body: '', bodyFormat: html });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    await openPage(page, id);
    const dialog = dialogOf(page);
    const [address, title] = [dialog.getByLabel('Address or code'), dialog.getByLabel('Title')];

    await t.test('the dialog of an embed shows what can be embedded, and proposes a title', async () => {
      await page.getByRole('button', { name: 'Image', exact: true }).press('ArrowRight');
      await page.keyboard.press('Enter');
      await address.waitFor();
      await address.and(page.locator(':focus:required')).waitFor();
      assert.equal(await address.inputValue(), '');
      await page.keyboard.type('https://example.com/film');
      await page.keyboard.press('Enter');
      await dialog.getByText('This cannot be embedded').waitFor();
      assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-invalid")'), 'true');
      await checkAllLooks(page, 'what cannot be embedded');
      await address.fill('youtu.be/dQw4w9WgXcQ?t=1m5s');
      assert.equal(await title.inputValue(), 'YouTube video');
      await address.fill('https://vimeo.com/76979871');
      assert.equal(await title.inputValue(), 'Vimeo video');
      await address.fill('https://youtu.be/dQw4w9WgXcQ?t=1m5s');
      await title.fill(' ');
      await title.press('Enter');
      await dialog.getByText('Say in a few words').waitFor();
      await title.fill('Our "film" & more');
      await title.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      await boxes(page).getByText('Our "film" & more').waitFor();
    });

    await t.test('text typed after embedding is placed behind the embed', async () => {
      await page.keyboard.type('After it');
      await publish(page);
      assert.equal(await stored(), `${frame(`${film}?start=65`, 'Our &quot;film&quot; &amp; more')}\n<p>After it</p>`);
      const visitor = await context.newPage();
      let asked = 0;
      await visitor.route(/youtube/, (route) => {
        asked += 1;
        return route.fulfill({ contentType: 'text/html', body: '<p>Playing</p>' });
      });
      await visitor.goto(`${siteAddress}/film`);
      const shown = visitor.locator('main iframe');
      assert.deepEqual(
        await Promise.all(['src', 'title', 'loading', 'width'].map((name) => shown.getAttribute(name))),
        [null, 'Our "film" & more', 'lazy', '560'],
      );
      const link = visitor.frameLocator('main iframe').getByRole('link', { name: 'Play video Our "film" & more' });
      assert.equal(await link.getAttribute('href'), `${film}?start=65&autoplay=1`);
      await visitor.frameLocator('main iframe').getByText('This connects you to YouTube (Google).').waitFor();
      assert.equal(asked, 0);
      await link.click();
      await visitor.frameLocator('main iframe').getByText('Playing').waitFor();
      await visitor.close();
    });

    await t.test('the embed button changes the selected embed', async () => {
      await textOf(page).press('Control+Home');
      await page.keyboard.press('ArrowUp');
      await page.locator('.embed-box.ProseMirror-selectednode').waitFor();
      assert.equal(await button(page).getAttribute('aria-pressed'), 'true');
      await button(page).press('Enter');
      assert.equal(await address.inputValue(), `${film}?start=65`);
      await title.fill('Film');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await boxes(page).getByText('Film', { exact: true }).waitFor();
      await page.locator('.embed-box.ProseMirror-selectednode').waitFor();
      await button(page).press('Enter');
      await address.fill(osmCode);
      assert.equal(await title.inputValue(), 'Film', 'a title that the user has typed stays');
      await checkAllLooks(page, 'an embed is changed');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await boxes(page).getByText('openstreetmap.org').waitFor();
      await publish(page);
      assert.equal(
        await stored(),
        '<iframe title="Film" src="https://www.openstreetmap.org/export/embed.html?bbox=16.36%2C48.2%2C16.38%2C48.21&amp;layer=mapnik" width="425" height="350" loading="lazy"></iframe>\n<p>After it</p>',
      );
    });

    await t.test('an embed is deleted and restored by keyboard', async () => {
      await page.locator('.embed-box.ProseMirror-selectednode').waitFor();
      await textOf(page).press('Delete');
      await boxes(page).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+z');
      await boxes(page).getByText('openstreetmap.org').waitFor();
      await page.locator('.embed-box.ProseMirror-selectednode').waitFor();
      await button(page).press('Enter');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await boxes(page).waitFor({ state: 'detached' });
      await dialog.waitFor({ state: 'hidden' });
      await publish(page);
      assert.equal(await stored(), '<p>After it</p>');
    });
  };
}

function embedByPasting({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const id = await create(page, { name: 'Pasted', body: '', bodyFormat: html });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    await openPage(page, id);
    await textOf(page).click();
    const paste = (text: string, more = '') => page.evaluate(`paste(${JSON.stringify(more)}, ${JSON.stringify(text)})`);
    const address = 'https://youtu.be/dQw4w9WgXcQ?t=42';

    await page.keyboard.type('Before it');
    await page.keyboard.press('Enter');
    await paste(address);
    await boxes(page).getByText('YouTube video').waitFor();
    await page.keyboard.press('Control+z');
    await boxes(page).waitFor({ state: 'detached' });
    await textOf(page).getByRole('link', { name: address }).waitFor();
    await page.keyboard.press('Control+z');
    await textOf(page).getByRole('link').waitFor({ state: 'detached' });
    await textOf(page).getByText('Before it').waitFor();
    await page.keyboard.press('Control+y');
    await textOf(page).getByRole('link', { name: address }).waitFor();
    await page.keyboard.press('Control+y');
    await boxes(page).waitFor();

    // Undoing the embed leaves the code as plain text.
    await page.keyboard.press('Enter');
    await paste(googleCode);
    await boxes(page).getByText('Google map').waitFor();
    await page.keyboard.press('Control+z');
    await textOf(page).getByText('<iframe src="https://www.google.com').waitFor();
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Enter');
    await paste(osmCode);
    await page.keyboard.type('After it: ');

    // A link stays a link on a line with other text, and if it leads to something that cannot be embedded.
    await paste(address);
    await page.keyboard.press('Enter');
    await paste('https://www.openstreetmap.org/#map=15/48.2/16.37');
    await publish(page);
    const link = (to: string) => `<a href="${to}">${to}</a>`;
    assert.equal(
      await stored(),
      [
        '<p>Before it</p>',
        frame(`${film}?start=42`, 'YouTube video'),
        frame(googleMap, 'Google map', false),
        '<iframe title="Map" src="https://www.openstreetmap.org/export/embed.html?bbox=16.36%2C48.2%2C16.38%2C48.21&amp;layer=mapnik" width="425" height="350" loading="lazy"></iframe>',
        `<p>After it: ${link(address)}</p>`,
        `<p>${link('https://www.openstreetmap.org/#map=15/48.2/16.37')}</p>`,
      ].join('\n'),
    );
  };
}

function embedAnywhere({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const film_ = frame(film, 'YouTube video');
    let count = 0;
    /** Embeds a video at a position of the editor's document, or with everything selected. */
    const put = async (body: string, at: number | 'all') => {
      const name = `Page ${++count}`;
      const id = await create(page, { name, body, bodyFormat: html });
      await openPage(page, id);
      await eventually(
        t,
        () => page.getByLabel('Name of the page').inputValue(),
        (value) => value === name,
      );
      await textOf(page).focus();
      const select = at === 'all' ? 'selectAll()' : `setTextSelection(${at})`;
      await page.evaluate(`document.querySelector('[role=textbox].tiptap').editor.commands.${select}`);
      await embed(page, 'https://youtu.be/dQw4w9WgXcQ');
      await page.keyboard.type('x');
      await publish(page);
      return (await storedPage(db, subdomain, id)).body.replaceAll('\n', '').replaceAll(film_, '[film]');
    };
    assert.equal(await put('<p>Text</p>', 5), '<p>Text</p>[film]<p>x</p>');
    assert.equal(await put('<p>Text</p><p>More</p>', 5), '<p>Text</p>[film]<p>xMore</p>');
    assert.equal(await put('<p>Text</p>', 2), '<p>T</p>[film]<p>xext</p>');
    assert.equal(await put('<h2>Text</h2>', 5), '<h2>Text</h2>[film]<p>x</p>');
    assert.equal(await put('<ul><li>Text</li></ul>', 7), '<ul><li><p>Text</p>[film]<p>x</p></li></ul>');
    assert.equal(
      await put('<table><tbody><tr><td></td><td>z</td></tr></tbody></table>', 4),
      '<table><tbody><tr><td>[film]<p>x</p></td><td>z</td></tr></tbody></table>',
    );
    assert.equal(await put('<blockquote><p></p></blockquote>', 2), '<blockquote>[film]<p>x</p></blockquote>');
    assert.equal(await put('<p>Text</p><hr><p>More</p>', 5), '<p>Text</p>[film]<p>x</p><hr><p>More</p>');
    assert.equal(await put('<p>Text</p><p>More</p>', 'all'), '[film]<p>x</p>');
  };
}

function embedInMarkdown({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain, visit } = await shareWriter(t, app);
    const id = await create(page, { name: 'Marked', body: 'Before it\nAfter it', bodyFormat: markdown });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    await openPage(page, id);
    await textOf(page).press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await embed(page, 'https://youtu.be/dQw4w9WgXcQ', 'Film');
    await publish(page);
    assert.equal(await stored(), `Before it\n\n${frame(film, 'Film')}\n\nAfter it`);
    assert.match(
      await visit('/marked'),
      /<p>Before it<\/p>\n<div class="embed"><iframe srcdoc="[^"]*" title="Film" [^>]*><\/iframe><\/div>\n<p>After it<\/p>/,
    );

    // Elements that are rendered for visitors do not become part of the text.
    await changeFormat(page, 'Visual');
    await page.getByRole('button', { name: 'Change the format' }).click();
    await boxes(page).getByText('Film', { exact: true }).waitFor();
    await publish(page);
    const asHtml = '<p>Before it</p>[film]<p>After it</p>';
    assert.equal(
      (await stored()).replaceAll('\n', '').replace(/<iframe [^>]*title="Film"[^>]*><\/iframe>/, '[film]'),
      asHtml,
    );
    assert.doesNotMatch(await stored(), /sandbox|referrerpolicy/);
  };
}
