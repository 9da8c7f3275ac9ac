import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './program.ts';
import {
  callAdmin,
  changeFormat,
  checkAccessible,
  checkAllLooks,
  publish,
  publishBy,
  signInVia,
  toast,
  typeText,
} from './test-app.ts';
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

/*
 * The editors' views of a text: as source, in another format, beside an earlier version, and as visitors will see it. SQLite
 * alone is enough, as in editors.test.ts.
 */

describeWithDatabase('the editors: views', {
  'HTML that the visual editor does not know is a block that can be moved, edited and deleted': editHtmlBlocks,
  'a change of format shows its result first, and can be undone': changeFormatOfPage,
  'tables, tasks and struck-through text survive conversion to the other format and back': convertRichText,
  'footnotes and descriptions of images survive conversion to the other format and back': convertNotesAndImages,
  'a table keeps its head, and one with a more complex structure stays an HTML block': keepTableHeads,
  'an excerpt is compared in the same way as the text': compareExcerpts,
  'any two versions of a page can be compared, as visitors see them and as source': compareTwoVersions,
  'the saving state and “Publish” stay in view on a phone with its keyboard open': keepBarInView,
  'an empty editor shows what to do': showPlaceholders,
  'a long page warns that it slows the editor down, and no typed text is lost': editLongPage,
  'the preview shows the unpublished page in the look of the site': previewPage,
  'a script in a page reaches nothing from a preview': previewHostilePage,
  'another look is previewed with the real site before it is saved': previewLook,
});

function editHtmlBlocks({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const body = '<p>One</p>\r\n<section data-price="3">\n  <p>Three</p>\n</section>\n<!-- Ask Jo -->\n<P>Four</P>\n';
    const id = await create(page, { name: 'Section', body, bodyFormat: html });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    await openPage(page, id);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const press = (name: string) => text.getByRole('button', { name, exact: true }).click();
    await text.getByText('This part was made elsewhere. It is kept as it is.').waitFor();
    await checkAllLooks(page, 'an HTML block');
    await text.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.insertText(', two');
    await publish(page);
    const edited = body.replace('One', 'One, two');
    assert.equal(await stored(), edited);

    await press('Move down');
    await text.getByRole('button', { name: 'Move down' }).and(page.locator(':focus')).waitFor();
    await publish(page);
    const section = '<section data-price="3">\n  <p>Three</p>\n</section>';
    assert.equal(await stored(), `<p>One, two</p>\n<!-- Ask Jo -->\n<P>Four</P>\r\n${section}`);
    await press('Move up');
    await publish(page);
    assert.equal((await stored()).trim(), edited.trim());

    // Only the source of the block is edited. Elements that the editor knows become text.
    await press('Edit source');
    const source = page.getByRole('textbox', { name: 'HTML of this part' });
    assert.equal(await source.inputValue(), section);
    await checkAllLooks(page, 'the source of an HTML block');
    await source.fill('<h2>Three</h2>\n<aside>Aside</aside>');
    await page.getByRole('button', { name: 'Apply' }).click();
    await text.getByRole('heading', { name: 'Three' }).waitFor();
    await text.getByText('Aside').waitFor();
    await press('Delete');
    await publish(page);
    assert.equal((await stored()).trim(), '<p>One, two</p>\r\n<h2>Three</h2>\n<!-- Ask Jo -->\n<P>Four</P>');

    // The source of the whole page can be edited as well.
    await page.getByRole('button', { name: 'Show the HTML' }).click();
    const whole = page.getByRole('textbox', { name: 'Text of the page as HTML' });
    await whole.press('Control+End');
    await page.keyboard.insertText('<aside data-x="1">Aside</aside>');
    await page.getByRole('button', { name: 'Back to the visual editor' }).click();
    await text.getByText('Aside').waitFor();
    await publish(page);
    assert.match(await stored(), /<P>Four<\/P>\n?<aside data-x="1">Aside<\/aside>$/);
  };
}

function editLongPage({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const body = Array.from({ length: 2040 }, (_, index) => `<p>The line with number ${index}.</p>`).join('\n');
    const id = await create(page, { name: 'Long', body, bodyFormat: html });
    await openPage(page, id);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await page.getByText('This page has more than 2,000 paragraphs.').waitFor();
    // All paragraphs look alike, and axe needs seconds for two thousand of them.
    await page.evaluate(`{
      const fewer = new CSSStyleSheet();
      fewer.replaceSync('.tiptap > :nth-child(n + 9) { display: none }');
      document.adoptedStyleSheets.push(fewer);
    }`);
    await checkAllLooks(page, 'a long page');
    await text.press('Control+Home');
    await page.keyboard.type('One two ');
    await page.reload();
    await text.getByText('One two The line with number 0.').waitFor();
    // No text is lost when another editor opens, or when the page is published at once.
    await text.press('Control+Home');
    await page.keyboard.type('three ');
    await page.getByRole('button', { name: 'Show the HTML' }).first().click();
    const source = page.getByRole('textbox', { name: 'Text of the page as HTML' });
    await source.getByText('three One two The line with number 0.').waitFor();
    await source.press('Control+Home');
    await page.keyboard.type('<!-- four -->');
    await publishBy(page, () => page.keyboard.press('Control+Enter'));
    const stored = await storedPage(db, subdomain, id);
    assert.equal(stored.body, `<!-- four -->${body.replace('The', 'three One two The')}`);
  };
}

function changeFormatOfPage({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const body = '<h2 id="x">Hours</h2>\r\n<p>From <b>eight</b>.</p>\r\n<aside>By the way</aside>';
    const id = await create(page, { name: 'Hours', body, bodyFormat: html });
    const stored = () => storedPage(db, subdomain, id);
    await openPage(page, id);
    await page.getByText('This part was made elsewhere').waitFor();
    await changeFormat(page, 'Markdown');
    const dialog = page.getByRole('dialog', { name: 'Change the format' });
    await dialog.getByText('## Hours').waitFor();
    await dialog.getByText('<aside>').waitFor();
    await checkAllLooks(page, 'another format');
    // Escape closes only this dialog: the settings stay open behind it.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('dialog', { name: 'Page settings' }).getByText('Markdown', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    assert.equal((await stored()).body, body);

    await changeFormat(page, 'Markdown');
    await dialog.getByRole('button', { name: 'Change the format' }).click();
    await page.getByRole('textbox', { name: 'Text of the page' }).getByText('## Hours').waitFor();
    assert.equal((await stored()).body, body, 'the converted text is only a draft');
    await toast(page, 'The format is changed').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This part was made elsewhere').waitFor();
    await page.getByText('Published', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled(), true);

    await changeFormat(page, 'Markdown');
    await dialog.getByRole('button', { name: 'Change the format' }).click();
    await publish(page);
    const { body: converted, body_format: format } = await stored();
    assert.deepEqual([format, converted], [markdown, '## Hours\n\nFrom **eight**.\n\nBy the way\n']);
    await toast(page, 'Published').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This part was made elsewhere').waitFor();
    // The app shows the change before the service has made it. The body returns byte for byte.
    await eventually(t, stored, (now) => now.body === body);
  };
}

const figure =
  '<figure class="image-wide"><a href="/oak"><img src="/a.png" alt="A"></a><figcaption>An <em>oak</em></figcaption></figure>';

const fromHtml = [
  '<p>Open <s>daily</s> <del>always</del>, 10 ~~ 11 ~~ 12.</p>',
  '<ul class="contains-task-list"><li class="task-list-item"><input class="task-list-item-checkbox" type="checkbox" checked=""> Tables</li><li class="task-list-item"><input class="task-list-item-checkbox" type="checkbox"> Chairs</li></ul>',
  '<table><thead><tr><th>What</th><th class="align-right">Price</th></tr></thead><tbody><tr><td>A | <strong>B</strong></td><td class="align-right">9</td></tr></tbody></table>',
  '<table><tbody><tr><th>What</th></tr><tr><td>Oak<br>Ash</td></tr></tbody></table>',
  figure,
].join('\n');

const asMarkdown = [
  'Open ~~daily~~ ~~always~~, 10 \\~\\~ 11 \\~\\~ 12.',
  '-   [x] Tables\n-   [ ] Chairs',
  '| What | Price |\n| --- | --: |\n| A \\| **B** | 9 |',
  '<table><tbody><tr><th>What</th></tr><tr><td>Oak<br>Ash</td></tr></tbody></table>',
  figure,
].join('\n\n');

function convertRichText({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const id = await create(page, { name: 'Prices', body: fromHtml, bodyFormat: html });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    const convert = async (format: string) => {
      await changeFormat(page, format);
      const dialog = page.getByRole('dialog', { name: 'Change the format' });
      await dialog.getByRole('button', { name: 'Change the format' }).click();
      await publish(page);
      return stored();
    };
    await openPage(page, id);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.getByRole('columnheader', { name: 'Price' }).waitFor();
    await checkAllLooks(page, 'tasks and a table');
    assert.equal(await convert('Markdown'), `${asMarkdown}\n`);

    // The conversion back to the visual editor adds nothing that only a rendered page needs.
    const back = await convert('Visual');
    assert.doesNotMatch(back, /table-scroll|scope=|aria-label|disabled|~~\w/);
    await text.getByRole('columnheader', { name: 'Price' }).waitFor();

    // A change leaves the rest as it was, including the head of the table.
    await text.getByRole('checkbox').nth(1).click();
    await publish(page);
    const changed = await stored();
    assert.match(changed, /<input[^>]*checked[^>]*> Tables<[\s\S]*<input[^>]*checked[^>]*> Chairs</);
    assert.ok(changed.includes(fromHtml.split('\n')[2]!), changed);
    assert.ok(changed.includes(figure), changed);
    assert.ok(changed.includes('<s>daily</s> <s>always</s>, 10 ~~ 11 ~~ 12.'), changed);

    // Targets of links within the page are kept. Footnotes stay complete when their text is edited.
    const notes = '<h2 id="mine">Own</h2>\n\n[There](#mine)[^1]\n\n## Other\n\n[^1]: A note.\n';
    const noted = await create(page, { name: 'Notes', body: notes, bodyFormat: markdown });
    await openPage(page, noted);
    await text.getByText('## Other').waitFor();
    await changeFormat(page, 'Visual');
    const dialog = page.getByRole('dialog', { name: 'Change the format' });
    await dialog.getByRole('button', { name: 'Change the format' }).click();
    await text.locator('li').getByText('A note.').waitFor();
    await publish(page);
    const { body: whole } = await storedPage(db, subdomain, noted);
    assert.match(whole, /<h2 id="mine">Own<\/h2>[\s\S]*<a href="#mine">There<\/a>[\s\S]*<h2>Other<\/h2>/);
    assert.match(whole, /id="c-fnref1"[\s\S]*<li id="c-fn1"[\s\S]*href="#c-fnref1"/);
    assert.doesNotMatch(whole, /aria-label/);
    await text.getByText('A note.').click();
    await page.keyboard.press('Home');
    await page.keyboard.insertText('Not ');
    await publish(page);
    const { body: edited } = await storedPage(db, subdomain, noted);
    assert.match(
      edited,
      /<sup class="footnote-ref"><a id="c-fnref1" href="#c-fn1">\[1\]<\/a><\/sup>[\s\S]*<hr class="footnotes-sep">\n<div class="footnotes"><ol class="footnotes-list"><li class="footnote-item" id="c-fn1">Not A note\. <a [^>]*class="footnote-backref"[^>]*>.+<\/a><\/li><\/ol><\/div>$/,
    );
    assert.match(edited, /<a [^>]*href="#c-fnref1"/);
  };
}

function convertNotesAndImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    await page.route('https://pictures.example/**', (route) => route.abort());
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const convert = async (id: number, format: string) => {
      await changeFormat(page, format);
      const dialog = page.getByRole('dialog', { name: 'Change the format' });
      await dialog.getByRole('button', { name: 'Change the format' }).click();
      await publish(page);
      return (await storedPage(db, subdomain, id)).body;
    };
    const notes = [
      'Oak[^1], ash[^2] and oak again[^1].',
      '',
      '## After it',
      '',
      '[^1]: Of *our* valley.',
      '',
      '    And of no other.',
      '[^2]: From [elsewhere](https://example.com).',
      '',
    ].join('\n');
    const noted = await create(page, { name: 'Footnotes', body: notes, bodyFormat: markdown });
    await openPage(page, noted);
    await text.getByText('After it').waitFor();
    assert.match(await convert(noted, 'Visual'), /class="footnote-ref"[\s\S]*class="footnotes"/);
    await text.locator('li').getByText('elsewhere').waitFor();
    assert.equal(await convert(noted, 'Markdown'), notes);

    // A number without its note is not a footnote, and stays unchanged.
    const odd = '<p>Oak<sup class="footnote-ref"><a href="#gone">[1]</a></sup></p>';
    const lost = await create(page, { name: 'Odd', body: odd, bodyFormat: html });
    await openPage(page, lost);
    await text.getByText('Oak').waitFor();
    assert.equal(await convert(lost, 'Markdown'), 'Oak<sup class="footnote-ref"><a href="#gone">[1]</a></sup>\n');

    // An image without a description, a decorative one, and one with a description.
    const image = (name: string) => `https://pictures.example/${name}`;
    const images = `<p><img src="${image('1')}"> <img src="${image('2')}" alt=""> <img src="${image('3')}" alt="Three"></p>`;
    const shown = await create(page, { name: 'Images', body: images, bodyFormat: html });
    await openPage(page, shown);
    await page.getByText('One image has no description').waitFor();
    assert.equal(
      await convert(shown, 'Markdown'),
      `![](${image('1')}) ![](${image('2')})<!-- decorative --> ![Three](${image('3')})\n`,
    );
    await page.getByText('One image has no description').waitFor();
    assert.equal(await convert(shown, 'Visual'), images);
  };
}

function keepTableHeads({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const table = (rows: string) =>
      `<table><thead><tr><th></th><th>Price</th></tr></thead><tbody>${rows}</tbody></table>`;
    const row = '<tr><td>Oak</td><td>9</td></tr>';
    const id = await create(page, { name: 'Head', body: table(row), bodyFormat: html });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    await openPage(page, id);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.getByText('Oak').click();
    await page.getByRole('button', { name: 'Add a row below', exact: true }).click();
    await publish(page);
    assert.equal(await stored(), table(`${row}<tr><td></td><td></td></tr>`));

    // A row without header cells is not a head.
    await text.getByText('Price').click();
    await page.getByRole('button', { name: 'Delete the row', exact: true }).click();
    await publish(page);
    assert.equal(await stored(), `<table><tbody>${row}<tr><td></td><td></td></tr></tbody></table>`);

    // The visual editor does not support two rows in the head, or a foot.
    const others = [
      '<table><thead><tr><th>A</th></tr><tr><th>B</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody><tfoot><tr><td>2</td></tr></tfoot></table>',
      // Browsers allow at most a thousand columns.
      '<table><tbody><tr><td colspan="99999999">1</td></tr></tbody></table>',
      '<table data-head=""><tbody><tr><th>A</th></tr><tr><td>1</td></tr></tbody></table>',
    ];
    for (const [index, other] of others.entries()) {
      await openPage(page, await create(page, { name: `More ${index}`, body: other, bodyFormat: html }));
      await text.getByText('This part was made elsewhere').waitFor();
    }
  };
}

function compareExcerpts({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, address } = await shareWriter(t, app);
    const id = await create(page, { name: 'Opening hours', body: '', bodyFormat: markdown });
    await openPage(page, id);
    const other = await (await app.browser.newContext()).newPage();
    await signInVia(other, address, new URL(page.url()).pathname);
    const summarize = async (who: Page, excerpt: string) => {
      await who.getByRole('button', { name: 'Page settings' }).click();
      await who.getByLabel('Excerpt').fill(excerpt);
      await who.keyboard.press('Escape');
    };
    await summarize(other, 'Closed on Sundays.');
    await summarize(page, 'Open daily.');
    await publish(page);
    await other.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = other.getByRole('dialog', { name: 'Somebody else published first' });
    await dialog.getByText('Excerpt: Open daily.').waitFor();
    await dialog.getByText('Excerpt: Closed on Sundays.').waitFor();
    await publishBy(other, () => dialog.getByRole('button', { name: 'Publish mine' }).click());

    await other.getByRole('link', { name: 'Earlier versions' }).click();
    await other.getByText('Excerpt: Open daily.').waitFor();
    await other.getByText('Excerpt: Closed on Sundays.').waitFor();
    assert.equal(await other.getByText('are the same in both').count(), 0);
  };
}

function compareTwoVersions({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, app);
    const lines = Array.from({ length: 20 }, (_, index) => `Line ${index}`).join('\n\n');
    const intro = `![The oven](/media/oven-1.webp)\n\n${lines}`;
    const id = await create(page, {
      name: 'Hours',
      body: `${intro}\n\nThe *workshop* is open from eight to six.`,
      bodyFormat: markdown,
    });
    await openPage(page, id);
    for (const hours of ['The *workshop* is open from nine to six.', 'The *workshop* is open from nine to five.']) {
      await page.getByRole('textbox', { name: 'Text of the page' }).press('Control+a');
      await page.keyboard.insertText(`${intro}\n\n${hours}`);
      await publish(page);
    }
    await page.getByRole('link', { name: 'Earlier versions' }).click();
    const main = page.getByRole('region', { name: 'Both texts and their differences' });
    const shows = (gone: string, come: string) =>
      eventually(
        t,
        async () => [await main.locator('del').allTextContents(), await main.locator('ins').allTextContents()].join(),
        (marked) => marked === `${gone},${come}`,
      );
    await shows('six', 'five');

    // Compared with the version before, not with the published one. The older version stays on the left.
    const against = page.getByLabel('Compare with');
    const [, before] = await against.locator('option').allTextContents();
    await against.selectOption({ index: 1 });
    await shows('eight', 'nine');
    assert.match(await main.innerText(), new RegExp(`^\\s*${before}`));
    const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('button');
    await versions.nth(1).click();
    await shows('eight,six', 'nine,five');

    // Unchanged lines are folded, and can be unfolded.
    assert.equal(await main.getByText('Line 3').first().isVisible(), false);
    await main.getByText('unchanged paragraphs').click();
    await main.getByText('Line 3').first().waitFor();

    // The texts are shown as visitors see them, with the images of the site.
    await main.locator('em').getByText('workshop').first().waitFor();
    const images = await main.getByRole('img').all();
    for (const image of images) assert.equal(await image.getAttribute('src'), '/admin/media/file?name=oven-1.webp');
    assert.equal(images.length, 1, 'content that is the same on both sides is there once');
    await checkAllLooks(page, 'two versions');
    await page.setViewportSize({ width: 320, height: 640 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);

    await page.getByText('Source', { exact: true }).click();
    await main.getByText('The *workshop* is open from').first().waitFor();
    await shows('eight,six', 'nine,five');
    await page.getByText('As visitors see it', { exact: true }).click();
    await main.locator('em').first().waitFor();

    // The comparison is higher than its box: the keyboard can focus it and scroll to the end.
    await page.getByRole('radio', { name: 'As visitors see it' }).focus();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Both texts and their differences');
    await page.keyboard.press('End');
    const left = `(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - scrollTop - clientHeight)`;
    await eventually(
      t,
      () => page.evaluate<number>(`${left}(document.activeElement)`),
      (pixels) => pixels < 2,
    );
  };
}

function keepBarInView({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, context } = await beginWriting(t, app, { viewport: { width: 360, height: 320 } });
    /** Returns true if the middle of the element is inside the window and not covered. */
    const isInView = async (element: Locator) => {
      const { x, y, width, height } = (await element.boundingBox())!;
      const at = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})`;
      return (await page.evaluate(`${at}?.textContent`)) === (await element.textContent());
    };
    for (const bodyFormat of [html, markdown]) {
      const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}`);
      const body = bodyFormat === html ? lines.map((line) => `<p>${line}</p>`).join('') : lines.join('\n\n');
      await openPage(page, await create(page, { name: `Long ${bodyFormat}`, body, bodyFormat }));
      const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
      await text.press('Control+End');
      await page.keyboard.insertText(' Soup ');
      await page.getByRole('status').getByText('Draft saved').waitFor();
      await context.setOffline(true);
      await page.keyboard.insertText('and bread ');
      const status = page.getByRole('status').filter({ hasText: 'Not saved yet' });
      await status.waitFor();
      assert.ok(await page.evaluate<number>('scrollY'), 'the page is scrolled');
      assert.deepEqual(
        [await isInView(status), await isInView(page.getByRole('button', { name: 'Publish', exact: true }))],
        [true, true],
        bodyFormat,
      );
      // The typed text is in view, too.
      assert.equal(await isInView(text.getByText('Soup and bread')), true, bodyFormat);
      await checkAccessible(page, `${bodyFormat}, offline on a phone`);
      await context.setOffline(false);
      await page.getByRole('status').getByText('Draft saved').waitFor();
    }
  };
}

function showPlaceholders({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await openPage(page, await create(page, { name: 'Empty', body: '', bodyFormat: html }));
    const prompt = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('[role=textbox]'), '::before').content`);
    await text.waitFor();
    await eventually(t, prompt, (content) => content.includes('Write here'));
    await checkAllLooks(page, 'an empty visual editor');
    await text.click();
    await page.keyboard.insertText('Soup');
    await eventually(t, prompt, (content) => content === 'none');
    await openPage(page, await create(page, { name: 'Empty Markdown', body: '', bodyFormat: markdown }));
    await text.getByText('Write here').waitFor();
    await checkAllLooks(page, 'an empty Markdown editor');
    await text.click();
    await page.keyboard.insertText('Soup');
    await text.getByText('Write here').waitFor({ state: 'detached' });
  };
}

function previewPage({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, visit } = await beginWriting(t, app, { viewport: { width: 1400, height: 900 } });
    await callAdmin(page, 'PATCH', 'settings', { theme: 'business', accent: '#b4531a' });
    const id = await create(page, { name: 'Prices', body: '', bodyFormat: markdown, isHidden: true });
    await openPage(page, id);
    await typeText(page, Array.from({ length: 60 }, (_, index) => `Paragraph ${index} of many`).join('\n\n'));
    await page.getByText('Both', { exact: true }).click();
    const frame = page.frameLocator('section[aria-label="Preview"] iframe:not([data-pending])');
    await frame.getByText('Paragraph 7 of many').waitFor();
    await frame.locator('h1', { hasText: 'Prices' }).waitFor();
    // The menu contains the other pages, and this one only once it is no longer hidden.
    const menu = frame.getByRole('navigation').getByRole('link');
    assert.ok((await menu.allTextContents()).includes('About'));
    assert.ok(!(await menu.allTextContents()).includes('Prices'));
    const inFrame = <T>(expression: string) => frame.locator('body').evaluate(expression) as Promise<T>;
    const style = (property: string) =>
      inFrame<string>(`getComputedStyle(document.documentElement).getPropertyValue('${property}').trim()`);
    assert.equal(await style('--poster'), '#b4531a');
    assert.equal(await inFrame(`document.fonts.check('16px Manrope Variable')`), true);
    assert.equal(await inFrame('innerWidth'), 1280);

    await page.getByRole('button', { name: 'Page settings' }).click();
    await page.getByRole('switch', { name: 'Hide from the navigation' }).click();
    await page.keyboard.press('Escape');
    await frame.getByRole('navigation').getByRole('link', { name: 'Prices' }).first().waitFor();
    await page.getByLabel('Name of the page').fill('All prices');
    await frame.getByRole('navigation').getByRole('link', { name: 'All prices' }).first().waitFor();

    // The preview scrolls to the changed place, instead of starting at the top each time.
    await page.getByRole('textbox', { name: 'Text of the page' }).press('Control+End');
    await page.keyboard.insertText('\n\nThe very end');
    await frame.getByText('The very end').waitFor();
    assert.equal(await inFrame(isLastOnScreen), true);

    // The preview does not scroll while the user looks at another part of it.
    const pane = page.getByRole('region', { name: 'Preview' });
    await page.getByRole('textbox', { name: 'Text of the page' }).press('Control+Home');
    await pane.locator('iframe').hover();
    await pane.locator('[data-held]').waitFor();
    await inFrame('scrollTo(0, 400)');
    await page.keyboard.insertText('The very beginning. ');
    await pane.getByText('The page has changed').waitFor();
    assert.equal(await inFrame('scrollY'), 400);
    await page.getByLabel('Name of the page').hover();
    await frame.getByText('The very beginning. Paragraph 0').waitFor();

    await page.getByText('Phone', { exact: true }).click();
    await eventually(
      t,
      () => inFrame('innerWidth'),
      (width) => width === 390,
    );
    await checkAccessible(page, 'preview');

    // The previews published nothing, and “Back” leaves the page instead of going through the previews.
    assert.equal((await visit('/prices')).includes('Paragraph'), false);
    await page.goBack();
    await page.waitForURL(/\/pages$/);
  };
}

const isLastOnScreen = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
  [...document.querySelectorAll('p')].find(({ textContent }) => textContent === 'The very end').getBoundingClientRect(),
)`;

function previewHostilePage({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, address } = await shareWriter(t, app);
    const body = `<p>Fine</p><script>top.hacked = 1</script><img src="x" onerror="top.hacked = 2">
      <a href="javascript:top.hacked = 3">Press</a><a href="/settings/you">There</a><meta http-equiv="refresh" content="0;url=/">`;
    const id = await create(page, { name: '"><script>top.hacked = 4</script>', body, bodyFormat: html });
    await openPage(page, id);
    await page.getByText('Preview', { exact: true }).click();
    const frame = page.locator('section[aria-label="Preview"] iframe:not([data-pending])');
    const inside = frame.contentFrame();
    await inside.getByText('Fine').waitFor();
    assert.equal(await frame.getAttribute('sandbox'), '');
    await inside.getByText('There').click();
    await inside.getByText('Fine').waitFor();
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.equal(new URL(page.url()).pathname, `/pages/${id}`);

    // Even outside of the frame, the preview has no origin and runs no script.
    const { origin } = new URL(address);
    const reply = await page.evaluate<{ policy: string; type: string }>(
      `fetch('/admin/pages/${id}/preview', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"fields":{}}',
      }).then(({ headers }) => ({ policy: headers.get('content-security-policy'), type: headers.get('content-type') }))`,
    );
    assert.match(reply.policy, /^sandbox; default-src 'none'; /);
    assert.ok(!/script-src|unsafe|connect-src/.test(reply.policy));
    assert.ok(reply.policy.endsWith(`form-action 'none'; frame-ancestors ${origin}`));
    assert.equal(reply.type, 'text/html; charset=utf-8');
  };
}

function previewLook({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, visit } = await beginWriting(t, app, { path: '/settings/look' });
    const frame = page.frameLocator('section[aria-label="Preview"] iframe:not([data-pending])');
    await frame.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Portfolio', { exact: true }).click();
    await frame.locator('link[rel=stylesheet][href*="/-/portfolio."]').waitFor({ state: 'attached' });
    await page.getByLabel('Colour', { exact: true }).fill('#a12b4a');
    const poster = () =>
      frame
        .locator('body')
        .evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--poster').trim()`)
        // The next preview has replaced this frame meanwhile.
        .catch((error: Error) => (/detached/.test(error.message) ? undefined : Promise.reject(error)));
    await eventually(t, poster, (colour) => colour === '#a12b4a');
    // The keyboard cannot reach the unnamed parts of the palette. The field beside it does the same.
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await checkAllLooks(page, 'look');
    assert.match(await visit('/'), /\/-\/typographic\./);
  };
}
