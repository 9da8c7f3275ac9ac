import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Locator, Page, Request } from 'playwright-core';
import { photo } from '../test/images.ts';
import { fromDocs, fromWord } from './bodies.ts';
import { eventually } from './program.ts';
import { checkAllLooks, publish, toast } from './test-app.ts';
import {
  type AppWithDatabase,
  accountOf,
  beginWriting,
  create,
  describeWithDatabase,
  html,
  markdown,
  openPage,
  storedPage,
} from './writing.ts';

/* Pasting text and images into the editors, in a real browser. SQLite alone is enough, as in editors.test.ts. */

describeWithDatabase('the editors: pasting', {
  'text pasted from Word and Google Docs keeps its structure, without styles': pasteFromOffice,
  'messages and questions about images disappear and return with the images': followImages,
  'images in pasted Markdown are reported, asked about and copied': pasteMarkdown,
  'many images are described one after another, or later, when the editor lists them again': describeImages,
  'many images are uploaded one by one with one progress bar, and failed ones can be retried': uploadImages,
  'pasted images are uploaded, or reported as external and copied if their website allows it': copyExternalImages,
});

function pasteFromOffice({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app, { isForeign: true });
    const paste = async (name: string, clipboard: string) => {
      const id = await create(page, { name, body: '', bodyFormat: html });
      await openPage(page, id);
      await page.getByRole('textbox', { name: 'Text of the page' }).click();
      await page.evaluate(`paste(${JSON.stringify(clipboard)}, 'plain')`);
      await publish(page);
      return (await storedPage(db, subdomain, id)).body;
    };
    assert.equal(
      await paste('Word', fromWord),
      [
        '<h1>Price list</h1>',
        '<h1>Tables <strong>&amp;</strong> chairs</h1>',
        '<p>Made of <strong>oak</strong>, <em>ash</em> and “<u>elm</u>”&nbsp;– see <a href="https://example.com/wood">our wood</a> and this file, 3<sup>rd</sup> edition.</p>',
        '<ul><li>Tables<ul><li>round</li><li>long <strong>and</strong> low</li></ul></li><li>Chairs</li></ul>',
        '<p>In this order:</p>',
        '<ol start="3"><li>Measure<ol><li>twice</li></ol></li><li>Cut</li></ol>',
        '<table><tbody><tr><td><strong>What</strong></td><td><strong>Price</strong></td></tr><tr><td>Table</td><td>900&nbsp;€</td></tr></tbody></table>',
        '<p>Ask us!</p>',
        '<blockquote><p>Measure twice.</p></blockquote>',
      ].join('\n'),
    );
    await toast(page, 'One image could not be pasted').waitFor();
    // A very long text in place of the number is parsed in linear time.
    const long = `<p style="mso-list:l0 level1"><span style="mso-list:Ignore">${'1'.repeat(1_000_000)}a1.</span>Long</p>`;
    assert.equal(await paste('Long', long), '<ul><li>Long</li></ul>');
    assert.equal(
      await paste('Google Docs', fromDocs),
      [
        '<h2>Opening hours</h2>',
        '<p>We open at <strong>eight</strong>, and <em>never</em> close <s>early</s>. H<sub>2</sub>O is free. <a href="https://example.com/map?a=1">The way here</a></p>',
        '<ul><li>Monday<ul><li>in the morning</li><li>in the evening</li></ul></li><li>Tuesday</li></ul>',
        '<ol><li>Ring</li><li>Wait</li></ol>',
        '<table><tbody><tr><td>Day</td><td>Hours</td></tr></tbody></table>',
        '<p><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXd" width="20" height="20"></p>',
      ].join('\n'),
    );
    assert.equal(
      await paste(
        'Frames',
        '<h2>Seen</h2><iframe class="x" src="//www.youtube.com/embed/dQw4w9WgXcQ?autoplay=1" title="Film" style="border:0"></iframe><p>and <iframe src="https://example.com/"></iframe></p><iframe src="about:blank"></iframe>',
      ),
      [
        '<h2>Seen</h2>',
        '<iframe title="Film" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" width="560" height="315" allowfullscreen="" loading="lazy"></iframe>',
        '<p>and <a href="https://example.com/">https://example.com/</a></p>',
      ].join('\n'),
    );
  };
}

function copyExternalImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain, siteAddress } = await beginWriting(t, app);
    const jpeg = await routePictures(page);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const notice = noticeOf(page);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const describe = async (alt: string) => {
      await page.getByLabel('What does this image show?').fill(alt);
      await press('Save');
    };
    const own = '/media/[0-9a-f]{32}-\\d+x\\d+\\.webp';

    const id = await create(page, { name: 'Elsewhere', body: '', bodyFormat: html });
    await openPage(page, id);
    await text.click();
    const clipboard = [
      // Copied from another editor that uses the same library.
      '<p data-pm-slice="0 0 []">One <img src="https://pictures.example/open?a=1&amp;b=2" width="40" height="30"></p>',
      '<p>Two <img src="https://pictures.example/closed" alt="Shut"></p>',
      `<p>Three <img src="data:image/jpeg;base64,${jpeg.toString('base64')}" alt="Inside"> <img src="data:image/svg+xml,x"></p>`,
      `<p>Four <img src="${siteAddress}/media/${'0'.repeat(32)}-8x8.webp" alt="Ours"></p>`,
    ].join('');
    await page.evaluate(`paste(${JSON.stringify(clipboard)}, 'plain')`);
    await notice.getByText('2 images are stored on other websites').waitFor();
    await toast(page, 'One image could not be pasted').waitFor();
    await text.locator('img[alt=Inside][src^="/admin/media/"]').waitFor();
    await checkAllLooks(page, 'images that are elsewhere');
    await press('Save copies here');
    await notice.getByText('One image could not be copied').waitFor();
    await describe('An open one');
    await text.locator('img[alt="An open one"][src^="/admin/media/"]').waitFor();
    await publish(page);
    const { body } = await storedPage(db, subdomain, id);
    assert.match(
      body,
      new RegExp(
        [
          `^<p>One <img src="${own}" alt="An open one" width="40" height="30"></p>`,
          '<p>Two <img src="https://pictures\\.example/closed" alt="Shut"></p>',
          `<p>Three <img src="${own}" alt="Inside" width="60" height="80"></p>`,
          `<p>Four <img src="/media/0{32}-8x8\\.webp" alt="Ours"></p>$`,
        ].join('\n'),
      ),
    );
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    // Text copied from this editor is recognized and stays unchanged.
    await text.press('Control+a');
    const copied = await page.evaluate<string>(`(() => {
      const clipboardData = new DataTransfer();
      const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
      return clipboardData.getData('text/html');
    })()`);
    assert.match(copied, /^<p data-own-copy="" data-pm-slice="[^"]*">One <img/);

    // In Markdown: a single image, text with images, and Markdown are pasted.
    const marked = await create(page, { name: 'Marked', body: '', bodyFormat: markdown });
    await openPage(page, marked);
    await eventually(
      t,
      () => page.getByLabel('Name of the page').inputValue(),
      (name) => name === 'Marked',
    );
    await text.locator('.cm-line').first().click();
    await page.evaluate(`paste('<img src="https://pictures.example/open?a=1&amp;b=2">', '')`);
    await notice.getByText('One image is stored on another website').waitFor();
    await describe('Open, too');
    await text.getByText('![Open, too](https://pictures.example/open?a=1&b=2)').waitFor();
    await press('Save a copy here');
    await toast(page, 'A copy of the image is saved here').waitFor();
    await notice.waitFor({ state: 'detached' });
    await press('Image');
    await page.getByRole('tab', { name: 'From the web' }).click();
    await page.getByLabel('Address of the image').fill('https://pictures.example/closed');
    await press('Insert');
    await notice.waitFor();
    await page.getByLabel('What does this image show?').waitFor();
    await publish(page);
    const { body: written } = await storedPage(db, subdomain, marked);
    assert.match(
      written,
      new RegExp(`^!\\[Open, too\\]\\(${own}\\)\\n\\n!\\[\\]\\(https://pictures\\.example/closed\\)\\n\\n$`),
    );

    // A website that does not answer does not block the user.
    await openPage(page, await create(page, { name: 'Slow', body: '', bodyFormat: html }));
    await text.locator('p').click();
    await page.evaluate(`paste('<p>Far <img src="https://pictures.example/never" alt="Far"></p>', 'Far')`);
    await press('Save a copy here');
    await press('Leave it there');
    await notice.waitFor({ state: 'detached' });
  };
}

/** Serves images of a website. Other sites may read those with `open` in the address, followed by the width. */
async function routePictures(page: Page): Promise<Buffer> {
  await page.route('https://pictures.example/**', async (route) => {
    const address = route.request().url();
    if (address.endsWith('/never')) return;
    // Without this header, Playwright would allow every site.
    const allowed = address.includes('open') ? '*' : 'https://pictures.example';
    const headers = { 'Access-Control-Allow-Origin': allowed };
    const body = await photo(Number(/open-(\d+)/.exec(address)?.[1] ?? 80), 60);
    await route.fulfill({ body, contentType: 'image/jpeg', headers });
  });
  return photo(80, 60);
}

const noticeOf = (page: Page) => page.getByRole('status').filter({ hasText: 'website' });
const questionOf = (page: Page) => page.getByLabel('What does this image show?');

function followImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    await routePictures(page);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const notice = noticeOf(page);
    const question = questionOf(page);
    const are = async (state: 'visible' | 'detached') => {
      await notice.waitFor({ state });
      await question.waitFor({ state });
    };
    const paste = (address: string) =>
      page.evaluate(`paste('<p>Two <img src="${address}"> images</p>', 'Two ![](${address}) images')`);
    for (const format of [html, markdown]) {
      const id = await create(page, { name: `Followed ${format}`, body: '', bodyFormat: format });
      await openPage(page, id);
      await text.locator('p, .cm-line').first().click();
      await paste(`https://pictures.example/open-${format === html ? 81 : 82}`);
      await are('visible');
      await page.keyboard.press('Control+z');
      await are('detached');
      await page.keyboard.press('Control+y');
      await are('visible');

      // A saved copy replaces the external image, until it is undone.
      await page.getByRole('button', { name: 'Save a copy here' }).click();
      await toast(page, 'A copy of the image is saved here').waitFor();
      await notice.waitFor({ state: 'detached' });
      await question.waitFor();
      await text.focus();
      await page.keyboard.press('Control+z');
      await are('visible');
      await page.keyboard.press('Control+y');
      await notice.waitFor({ state: 'detached' });

      // Marking an image as decoration can be undone as well.
      await page.getByRole('button', { name: 'Only decoration' }).click();
      await question.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+z');
      await question.waitFor();
      await page.keyboard.press('Control+y');
      await question.waitFor({ state: 'detached' });
      await publish(page);
      const { body } = await storedPage(db, subdomain, id);
      assert.match(
        body,
        format === html ? /<img src="\/media\/[^"]*" alt="" / : /^Two !\[\]\(\/media\/\S*\)<!-- decorative --> images$/,
      );
    }
  };
}

function pasteMarkdown({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    await routePictures(page);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const notice = noticeOf(page);
    const id = await create(page, { name: 'Noted', body: 'Before\n\n', bodyFormat: markdown });
    await openPage(page, id);
    await text.press('Control+End');
    const pasted_ = [
      'One ![](https://pictures.example/open-81), two ![Two][2], three ![][2], four ![Four][4].',
      '`![](https://pictures.example/open-code)`',
      '',
      '[2]: https://pictures.example/open-82 "Both"',
      // Google Docs writes images in this form.
      `[4]: <data:image/jpeg;base64,${(await photo(84, 60)).toString('base64')}>`,
    ].join('\n');
    await page.evaluate(`paste('', ${JSON.stringify(pasted_)})`);
    await notice.getByText('2 images are stored on other websites').waitFor();
    await page.getByRole('button', { name: 'Save copies here' }).click();
    await toast(page, 'Copies of 2 images are saved here').waitFor();
    await notice.waitFor({ state: 'detached' });
    await questionOf(page).fill('One');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await text.getByText('One ![One](').waitFor();
    await questionOf(page).fill('Three');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await publish(page);
    const { body } = await storedPage(db, subdomain, id);
    const own = '/media/[0-9a-f]{32}-\\d+x\\d+\\.webp';
    assert.match(
      body,
      new RegExp(
        [
          'Before\n',
          `One !\\[One\\]\\(${own}\\), two !\\[Two\\]\\[2\\], three !\\[Three\\]\\[2\\], four !\\[Four\\]\\[4\\]\\.`,
          '`!\\[\\]\\(https://pictures\\.example/open-code\\)`\n',
          `\\[2\\]: ${own} "Both"`,
          `\\[4\\]: <${own}>$`,
        ].join('\n'),
      ),
    );
  };
}

function describeImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    await routePictures(page);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const question = questionOf(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const shown = (src: string) => page.locator(`form img[src="${src}"]`).waitFor();
    const address = (number: number) => `https://pictures.example/closed-${number}`;
    const focused = (what: Locator) => what.and(page.locator(':focus')).waitFor();
    for (const format of [html, markdown]) {
      const id = await create(page, { name: `Described ${format}`, body: '', bodyFormat: format });
      await openPage(page, id);
      await text.locator('p, .cm-line').first().click();
      const all = [1, 2, 3, 4, 5].map(address);
      const asHtml = all.map((src) => `<p>x <img src="${src}"></p>`).join('');
      const asText = all.map((src) => `x ![](${src})`).join('\n\n');
      await page.evaluate(`paste(${JSON.stringify(asHtml)}, ${JSON.stringify(asText)})`);
      await page.getByText('1 of 5', { exact: true }).waitFor();
      await page.getByRole('status').getByText('What does this image show? 1 of 5').waitFor();
      // The question does not interrupt typing.
      await page.keyboard.insertText('Written on');
      await text.getByText('Written on').waitFor();
      if (format === html) await checkAllLooks(page, 'many images are described');
      await shown(address(1));

      await t.test(`images are described by keyboard alone, in ${format}`, async () => {
        await question.focus();
        await page.keyboard.type('One');
        await page.keyboard.press('Enter');
        await page.getByText('1 of 4', { exact: true }).waitFor();
        await shown(address(2));
        await focused(question);
        assert.equal(await question.inputValue(), '');
        // An unsaved description is kept when the user goes to another image.
        await page.keyboard.type('Unfinished');
        await button('Next image').press('Enter');
        await page.getByText('2 of 4', { exact: true }).waitFor();
        await shown(address(3));
        assert.equal(await question.inputValue(), '');
        await button('Only decoration').press('Enter');
        await page.getByText('2 of 3', { exact: true }).waitFor();
        await focused(question);
        await shown(address(4));
        await button('Previous image').press('Enter');
        await shown(address(2));
        assert.equal(await question.inputValue(), 'Unfinished');
        await button('Show it in the text').press('Enter');
        await focused(text);
        if (format === html) await text.locator(`img.ProseMirror-selectednode[src="${address(2)}"]`).waitFor();
      });

      await t.test(`images can be described later, in ${format}`, async () => {
        await button('Later').press('Enter');
        await question.waitFor({ state: 'detached' });
        await focused(text);
        await page.getByText('3 images have no description').waitFor();
        if (format === html) await checkAllLooks(page, 'images are to be described');
        await publish(page);
        await page.reload();
        await page.getByText('3 images have no description').waitFor();
        await button('Describe them').press('Enter');
        await page.getByText('1 of 3', { exact: true }).waitFor();
        await focused(question);
        for (const word of ['Two', 'Four', 'Five']) {
          await page.keyboard.type(word);
          await page.keyboard.press('Enter');
        }
        await question.waitFor({ state: 'detached' });
        await focused(text);
        await publish(page);
        const { body } = await storedPage(db, subdomain, id);
        const wanted = ['One', 'Two', '', 'Four', 'Five'].map((alt, index) =>
          format === html
            ? `<img src="${address(index + 1)}" alt="${alt}">`
            : `![${alt}](${address(index + 1)})${alt ? '' : '<!-- decorative -->'}`,
        );
        const places = wanted.map((each) => body.indexOf(each));
        assert.ok(!places.includes(-1), body);
      });
    }
  };
}

const TERABYTE = 1e12;

/** Returns by how many pixels the visible part of a button is indented from the text above it, on a phone. */
async function indentOnPhone(page: Page, name: string): Promise<number> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 375, height: 667 });
  const indent = await page.evaluate<number>(`(() => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === '${name}');
    const text = button.parentElement.firstElementChild;
    if (button.offsetTop === text.offsetTop) return NaN;
    const hasEdge = getComputedStyle(button).borderLeftColor !== 'rgba(0, 0, 0, 0)';
    const seen = hasEdge ? button : button.querySelector('.mantine-Button-label');
    return seen.getBoundingClientRect().left - text.getBoundingClientRect().left;
  })()`);
  await page.setViewportSize(before);
  return indent;
}

function uploadImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const bar = page.getByRole('progressbar');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const shown = text.locator('img[src^="/admin/media/"]');
    const addresses = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(
        async (seed) => `data:image/jpeg;base64,${(await photo(60, 40, seed)).toString('base64')}`,
      ),
    );
    const drawing = `data:image/png;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
    /** How many uploads may still be sent. Each waits until `allow` permits it. */
    let allowed = 0;
    let most = 0;
    const waiting = new Map<Request, () => void>();
    const allow = (count: number) => {
      allowed += count;
      for (const go of [...waiting.values()]) go();
    };
    page.on('requestfailed', (request) => waiting.delete(request));
    /** Makes the images of the account that much larger in the database. */
    const fill = async (bytes: number) => {
      const accountId = await accountOf(db, subdomain);
      const change = sql`update media set bytes = bytes + ${bytes} where account_id = ${accountId}`;
      await db.transaction().execute((trx) => change.execute(trx));
    };
    await page.route('**/admin/media?*', async (route) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const go = () => {
        if (allowed === 0) return;
        allowed -= 1;
        waiting.delete(route.request());
        resolve();
      };
      waiting.set(route.request(), go);
      most = Math.max(most, waiting.size);
      go();
      await promise;
      await route.continue();
    });
    const asHtml = (sources: readonly string[]) =>
      sources.map((src, at) => `<p>${at}<img src="${src}" alt="Number ${at}"></p>`).join('');
    const paste = (clipboard: string) => page.evaluate(`paste(${JSON.stringify(clipboard)}, 'plain')`);

    const id = await create(page, { name: 'Uploaded', body: '', bodyFormat: html });
    await openPage(page, id);
    await text.click();
    await paste(asHtml([...addresses.slice(0, 3), drawing, ...addresses.slice(3)]));
    await page.getByRole('progressbar', { name: 'Uploading image 1 of 7' }).waitFor();
    assert.equal(await bar.count(), 1, 'one progress bar for all images');
    await checkAllLooks(page, 'many images are uploaded');
    assert.equal(await indentOnPhone(page, 'Cancel all'), 0);
    allow(2);
    await page.getByRole('progressbar', { name: 'Uploading image 3 of 7' }).waitFor();
    assert.equal(await shown.count(), 2);
    await button('Cancel all').press('Enter');
    const outcome = page.getByRole('status').filter({ hasText: 'were not uploaded' });
    await outcome.getByText('5 images were not uploaded').waitFor();
    await outcome.getByText('You cancelled it.').waitFor();
    await button('Try again').and(page.locator(':focus')).waitFor();
    await checkAllLooks(page, 'images were not uploaded');

    // The account is full, and then it has room. A file that is not an image is never uploaded.
    await fill(TERABYTE);
    allow(5);
    await button('Try again').press('Enter');
    await outcome.getByText('There is no space left').waitFor();
    assert.equal(await shown.count(), 2);
    await fill(-TERABYTE);
    allow(5);
    await button('Try again').press('Enter');
    await page.getByRole('status').getByText('image-4.png was not uploaded').waitFor();
    await eventually(
      t,
      () => shown.count(),
      (count) => count === 6,
    );
    await button('Leave it out').press('Enter');
    await text.and(page.locator(':focus')).waitFor();
    assert.equal(await text.getByText('was not uploaded').count(), 0);
    assert.equal(most, 1, 'one upload at a time');
    await publish(page);
    const { body } = await storedPage(db, subdomain, id);
    const image = (at: number) => `<p>${at}<img src="[^"]*" alt="Number ${at}" width="\\d+" height="\\d+"></p>`;
    assert.match(
      body,
      new RegExp(`^${[0, 1, 2].map(image).join('\n')}\n<p>3</p>\n${[4, 5, 6].map(image).join('\n')}$`),
    );

    // An image whose place in the text is gone is not lost, either, nor are those that are left out one by one.
    await openPage(page, await create(page, { name: 'Astray', body: '', bodyFormat: html }));
    await text.locator('p').click();
    await page.keyboard.insertText('x');
    const others = await Promise.all([11, 12].map(async (seed) => (await photo(60, 40, seed)).toString('base64')));
    await paste(asHtml(others.map((data) => `data:image/jpeg;base64,${data}`)));
    await page.getByRole('progressbar', { name: 'Uploading image 1 of 2' }).waitFor();
    await text.getByRole('button', { name: 'Cancel the upload of image-2.jpeg' }).click();
    await page.getByRole('progressbar', { name: 'Uploading image-1.jpeg' }).waitFor();
    await text.press('Control+a');
    await page.keyboard.press('Delete');
    allow(1);
    await page.getByRole('status').getByText('One image was uploaded, but its place in the text is gone').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Close' }).click();
    await bar.waitFor({ state: 'detached' });
  };
}
