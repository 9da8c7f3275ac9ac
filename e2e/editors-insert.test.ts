import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator } from 'playwright-core';
import { photo } from '../test/images.ts';
import { eventually } from './program.ts';
import {
  checkAccessible,
  checkAllLooks,
  endSessions,
  insertFile,
  newPage,
  publish,
  signIn,
  signInAgain,
  toast,
  typeText,
} from './test-app.ts';
import {
  type AppWithDatabase,
  accountOf,
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
 * Inserting into a text, and leaving the editor meanwhile. SQLite alone is enough, as in editors.test.ts.
 */

describeWithDatabase('the editors: inserting', {
  'on a phone, neither a wide table nor the question about an image moves the text away': insertOnPhone,
  'a table can be inserted, and its rows and columns added and deleted': editTables,
  'a task list can be written, and turned into a plain list': editTaskLists,
  'the link dialog finds a page of the site by its name': linkToOwnPage,
  'the link at the cursor can be changed or removed, and the cursor stays where it was': changeLink,
  'a link whose text is its address follows changes of that text': editAddressLink,
  'a date can be typed part by part, even if an intermediate value does not exist': typeDate,
  'text typed after pasting an image is placed behind the image': typeBehindImages,
  'images pasted at the end of a text keep their order even if one is late, and are undone one by one': orderImages,
  'dropped images are placed between the blocks of a text, even if dropped on a word': dropFiles,
  'images in Markdown get lines of their own, and are undone one by one': orderMarkdownImages,
  'an image gets a size, a side, a caption and a link, and is replaced, by keyboard': changeImage,
  'an image with size and caption inserted into Markdown or HTML is known to the visual editor': insertSourceImages,
  'an image in Markdown or HTML can be changed and replaced without changing the text around it': changeSourceImages,
  'on a slow device, an editor that is recreated before it appears opens and saves the text': openOnSlowDevice,
  'text typed after the session has ended is saved once the user has signed in again': typeAfterSession,
  'text typed while publishing, or right before leaving, is neither lost nor duplicated': typeWhilePublishing,
});

function insertOnPhone({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true };
    const { page } = await beginWriting(t, app, phone);
    const table = `<table><tbody><tr>${'<th>Considerable</th>'.repeat(6)}</tr></tbody></table>`;
    const body = `${table}${'<p>Line</p>'.repeat(60)}`;
    await openPage(page, await create(page, { name: 'Phone', body, bodyFormat: html }));
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.getByText('Line').last().tap();
    // A wide table scrolls inside its own box.
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 375);

    // With the on-screen keyboard open, most of the remaining height is for the text.
    assert.match(
      (await page.locator('meta[name=viewport]').getAttribute('content'))!,
      /interactive-widget=resizes-content/,
    );
    await page.setViewportSize({ width: 375, height: 350 });
    await text.press('Control+End');
    const { y, height } = (await page.getByRole('toolbar', { name: 'Formatting' }).boundingBox())!;
    assert.ok(y + height < 350 / 3, `the text begins at ${y + height}`);
    await page.keyboard.insertText('Mistaken');
    await page.getByRole('button', { name: 'Undo', exact: true }).tap();
    await text.getByText('Mistaken').waitFor({ state: 'detached' });
    await page.setViewportSize(phone.viewport);
    await text.getByText('Line').last().tap();

    // The question about an image stays in view far down in the text: as one line, until the user opens it.
    const isSeen = (name: string) =>
      page.evaluate<boolean>(`(() => {
        const { top, bottom, left } = document.querySelector('${name}').getBoundingClientRect();
        const inFront = document.elementFromPoint(left + 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && inFront?.closest('${name}') !== null;
      })()`);
    await page.evaluate(`paste('<p>x <img src="https://pictures.example/phone"></p>', '')`);
    const describe = page.getByRole('button', { name: 'Describe it' });
    await describe.waitFor();
    await page.getByRole('status').getByText('One image has no description.').waitFor();
    await page.keyboard.insertText('Written on');
    assert.equal(await isSeen('[role=toolbar]'), true);
    await describe.tap();
    await page.getByRole('textbox', { name: 'What does this image show?' }).and(page.locator(':focus')).waitFor();
    assert.equal(await isSeen('form input'), true);
    await checkAccessible(page, 'an image is described on a phone');
    // The on-screen keyboard opens, and the browser scrolls.
    await page.setViewportSize({ width: 375, height: 350 });
    await page.evaluate('scrollTo(0, 0)');
    await page.keyboard.type('Oak');
    await page.keyboard.press('Enter');
    await text.and(page.locator(':focus')).waitFor();
    await text.locator('img[alt=Oak]').waitFor();
    assert.equal(await isSeen('[role=toolbar]'), true);
    // Typing continues at the former cursor.
    const line = text.getByText('Written on');
    await eventually(
      t,
      async () => (await line.boundingBox())!,
      (box) => box.y >= y + height && box.y + box.height <= 350,
    );
  };
}

function editTables({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const id = await create(page, { name: 'Table', body: '', bodyFormat: html });
    await openPage(page, id);
    await page.getByRole('textbox', { name: 'Text of the page' }).click();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('Table');
    for (const name of ['Add a column after', 'Add a row below', 'Delete the column', 'Delete the row'])
      await press(name);
    await page.keyboard.type('Price');
    await publish(page);
    const { body } = await storedPage(db, subdomain, id);
    assert.deepEqual([body.match(/<tr>/g)?.length, body.match(/<t[hd][ >]/g)?.length], [3, 6], body);

    // An empty table is a change as well, and so is its deletion.
    const empty = await create(page, { name: 'Empty table', body: '', bodyFormat: html });
    await openPage(page, empty);
    await page.getByRole('textbox', { name: 'Text of the page' }).click();
    await press('Table');
    await publish(page);
    const { body: saved } = await storedPage(db, subdomain, empty);
    assert.deepEqual([saved.match(/<tr>/g)?.length, saved.match(/<t[hd][ >]/g)?.length], [3, 6], saved);
    // The first row is the head of the table, including added cells.
    const head = (columns: number) =>
      `<table><thead><tr>${'<th scope="col"></th>'.repeat(columns)}</tr></thead><tbody><tr><td></td>`;
    assert.ok(saved.startsWith(head(2)), saved);
    await press('Add a column after');
    await publish(page);
    const { body: wider } = await storedPage(db, subdomain, empty);
    assert.ok(wider.startsWith(head(3)), wider);
    await press('Delete the table');
    await publish(page);
    assert.equal((await storedPage(db, subdomain, empty)).body, '');
  };
}

function editTaskLists({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain, visit } = await shareWriter(t, app);
    const id = await create(page, { name: 'Tasks', body: '<p>Saw</p>', bodyFormat: html });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    await openPage(page, id);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await text.press('Control+End');
    await press('Task list');
    for (const name of ['Plane', 'Glue']) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(name);
    }
    // An empty task ends the list.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Done');
    await text.getByRole('checkbox').nth(1).click();
    await checkAccessible(page, 'tasks');
    await publish(page);
    const task = (name: string, checked = '') =>
      `<li class="task-list-item"><input class="task-list-item-checkbox"${checked} type="checkbox"> ${name}</li>`;
    const list = `<ul class="contains-task-list">${task('Saw')}${task('Plane', ' checked=""')}${task('Glue')}</ul>`;
    assert.equal(await stored(), `${list}\n<p>Done</p>`);
    assert.match(await visit('/tasks'), /<li class="task-list-item"><input [^>]*aria-label="Plane"> Plane<\/li>/);

    // Backspace right behind a checkbox deletes it. The button for a plain list deletes all of them.
    await text.getByText('Glue').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Backspace');
    await publish(page);
    assert.equal(await stored(), `${list.replace(task('Glue'), '<li>Glue</li>')}\n<p>Done</p>`);
    await text.press('Control+a');
    await press('Task list');
    await press('List');
    await publish(page);
    assert.equal(await stored(), '<ul><li>Saw</li><li>Plane</li><li>Glue</li><li>Done</li></ul>');

    // Other selected blocks become items of the list as well. One undo restores all of them.
    const every = (...names: string[]) =>
      `<ul class="contains-task-list">${names.map((name) => task(name)).join('')}</ul>`;
    const mixed = '<h2>Wood</h2><p></p><ol><li>Wait</li></ol><p>Oil</p><ul><li>Wax</li></ul><hr><p>Rest</p>';
    const other = await create(page, { name: 'Mixed', body: mixed, bodyFormat: html });
    await openPage(page, other);
    await text.getByText('Wood').waitFor();
    await text.press('Control+a');
    await press('Task list');
    await publish(page);
    assert.equal(
      (await storedPage(db, subdomain, other)).body,
      `${every('Wood')}\n<p></p>\n${every('Wait', 'Oil', 'Wax')}\n<hr>\n${every('Rest')}`,
    );
    await text.press('Control+z');
    await publish(page);
    assert.equal((await storedPage(db, subdomain, other)).body, mixed);
  };
}

function linkToOwnPage({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const id = await create(page, { name: 'Way', body: '', bodyFormat: html });
    await openPage(page, id);
    await page.getByRole('textbox', { name: 'Text of the page' }).click();
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Link' });
    await dialog.getByLabel('Address, or the name of one of your pages').fill('contac');
    await dialog.getByRole('button', { name: 'Contact' }).waitFor();
    await checkAllLooks(page, 'link');
    await dialog.getByRole('button', { name: 'Contact' }).click();
    // Text typed behind the link does not become part of it.
    await page.keyboard.type('.');
    await publish(page);
    assert.equal((await storedPage(db, subdomain, id)).body, '<p><a href="/contact">Contact</a>.</p>');

    // Enter before the search has answered uses the text typed by then, not an earlier result.
    await create(page, { name: 'Contents', body: '', bodyFormat: html });
    await page.getByRole('textbox', { name: 'Text of the page' }).press('Control+End');
    await page.keyboard.press('Control+k');
    const address = dialog.getByLabel('Address, or the name of one of your pages');
    await address.fill('contac');
    await dialog.getByRole('button', { name: 'Contact' }).waitFor();
    await address.fill('contents');
    await address.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await publish(page);
    const both = '<p><a href="/contact">Contact</a>.<a href="/contents">Contents</a></p>';
    assert.equal((await storedPage(db, subdomain, id)).body, both);
  };
}

function changeLink({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Link' });
    const address = dialog.getByLabel('Address, or the name of one of your pages');
    for (const [format, body, changed, without] of [
      [html, '<p>Our <a href="/old">shop</a>.</p>', '<p>Our <a href="/new">sh-op</a>.</p>', '<p>Our sh--op.</p>'],
      [markdown, 'Our [shop](/old).', 'Our [sh-op](/new).', 'Our sh--op.'],
    ] as const) {
      const id = await create(page, { name: format, body, bodyFormat: format });
      await openPage(page, id);
      await text.press('Control+Home');
      for (let key = 0; key < (format === html ? 6 : 7); key++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Control+k');
      await dialog.waitFor();
      assert.equal(await address.inputValue(), '/old', format);
      // Typing replaces the address.
      await page.keyboard.type('/new');
      // A held key submits the dialog once, and types nothing into the text.
      for (let times = 0; times < 3; times++) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.type('-');
      await publish(page);
      assert.equal((await storedPage(db, subdomain, id)).body, changed);

      // With Caps Lock, the letter is upper case.
      await text.press('Control+K');
      await dialog.getByRole('button', { name: 'Remove the link' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.type('-');
      await publish(page);
      assert.equal((await storedPage(db, subdomain, id)).body, without);
    }
  };
}

function editAddressLink({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    await openPage(page, await create(page, { name: 'Ways', body: '', bodyFormat: html }));
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const shows = (...wanted: [text: string, href?: string][]) =>
      eventually(
        t,
        () =>
          page.evaluate<[string, string?][]>(`[...document.querySelectorAll('.tiptap p')].flatMap((line) =>
            [...line.childNodes].filter((one) => one.localName !== 'br').map((one) => one.localName === 'a'
              ? [one.textContent, one.getAttribute('href')]
              : [one.textContent]))`),
        (now) => JSON.stringify(now) === JSON.stringify(wanted),
      );
    const press = async (key: string, times: number) => {
      for (let count = 0; count < times; count++) await page.keyboard.press(key);
    };
    const shop = 'https://shop.example.co';
    await text.click();
    await page.keyboard.type(`At ${shop} .`);
    await shows(['At '], [shop, shop], [' .']);
    // Typed in the middle of the address, and right behind it.
    await press('ArrowLeft', 2 + '.example.co'.length);
    await page.keyboard.type('s');
    await press('ArrowRight', '.example.co'.length);
    await page.keyboard.type('m/new');
    const shops = 'https://shops.example.com/new';
    await shows(['At '], [shops, shops], [' .']);
    await press('Backspace', 4);
    await page.keyboard.type('.');
    await shows(['At '], [shops.slice(0, -4), shops.slice(0, -4)], ['. .']);
    await page.keyboard.type('Oh');
    await press('ArrowLeft', 2);
    await page.keyboard.type(' ');
    await shows(['At '], [shops.slice(0, -4), shops.slice(0, -4)], ['. Oh .']);
    // The change of the address is undone together with that of the text.
    await press('Control+z', 12);
    await shows();

    // A text that is no address keeps the former address.
    await text.press('Control+a');
    await page.keyboard.type(`${shop} `);
    await shows([shop, shop], [' ']);
    await page.keyboard.press('Home');
    await press('Delete', 'https://'.length);
    await shows(['shop.example.co', shop], [' ']);
    await press('ArrowRight', 4);
    await press('Delete', '.example.co'.length);
    await shows(['shop', shop], [' ']);

    // Phones and input methods first insert a composition, and then replace it by the result.
    await text.press('Control+a');
    await page.keyboard.type(`${shop} `);
    await page.keyboard.press('Home');
    await press('ArrowRight', 'https://shop'.length);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'p', selectionStart: 1, selectionEnd: 1 });
    await shows(['https://shopp.example.co', shop], [' ']);
    await devtools.send('Input.insertText', { text: 's' });
    await shows(['https://shops.example.co', 'https://shops.example.co'], [' ']);
    await page.keyboard.press('Control+z');
    await shows([shop, shop], [' ']);
  };
}

function typeDate({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, app, { locale: 'en-US' });
    await openPage(page, await create(page, { name: 'Fair' }));
    await page.getByRole('button', { name: 'Page settings' }).click();
    const date = page.getByRole('dialog', { name: 'Page settings' }).getByLabel('Date');
    await date.fill('2026-01-31T10:00');
    await date.focus();
    // There is no 31 February.
    await page.keyboard.type('021520271130P');
    assert.equal(await date.inputValue(), '2027-02-15T23:30');
    // There is no date without a month: leaving the field restores the last one.
    await date.blur();
    await date.focus();
    await page.keyboard.press('Backspace');
    assert.equal(await date.inputValue(), '');
    await page.keyboard.press('Escape');
    await page.getByText('Draft saved').waitFor();
    await page.getByRole('button', { name: 'Page settings' }).click();
    assert.equal(await date.inputValue(), '2027-02-15T23:30');
    await date.focus();
    await page.keyboard.press('Backspace');
    await date.blur();
    assert.equal(await date.inputValue(), '2027-02-15T23:30');
  };
}

function typeBehindImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const [first, second] = await Promise.all([40, 50].map((width) => photo(30, width)));
    for (const [format, body, image, wanted, wantedLast] of [
      [
        ...([html, '<p>One</p>', /<img src="[^"]*" width="(\d+)"[^>]*>/g] as const),
        '<p>One</p>\n<p>[40]</p>\n<p>[50]</p>\n<p>two three</p>',
        '<p>One</p>\n<p>[40]</p>\n<p>[50]</p>\n<p>two three</p>\n<p>[60]</p>\n<p>!</p>',
      ],
      [
        ...([markdown, 'One', /!\[\]\([^)]*-(\d+)x30[^)]*\)/g] as const),
        'One\n\n[40]\n\n[50]\n\ntwo three',
        'One\n\n[40]\n\n[50]\n\ntwo three\n\n[60]\n\n!',
      ],
    ] as const) {
      const id = await create(page, { name: `Behind ${format}`, body, bodyFormat: format });
      await openPage(page, id);
      let releaseUpload = () => {};
      const held = new Promise<void>((resolve) => {
        releaseUpload = resolve;
      });
      await page.route('**/admin/media?*', async (route) => {
        await held;
        await route.continue();
      });
      await text.press('Control+End');
      await insertFile(page, 'paste', first!, 'first.jpg');
      await insertFile(page, 'paste', second!, 'second.jpg');
      await page.keyboard.type('two');
      releaseUpload();
      await text.locator('img[width="50"]').or(text.getByText('-50x30')).waitFor();
      await page.keyboard.type(' three');
      await publish(page);
      const { body: stored } = await storedPage(db, subdomain, id);
      assert.equal(stored.replace(image, '[$1]'), wanted);
      // Behind a single image, too, typing continues.
      await page.unroute('**/admin/media?*');
      await text.press('Control+End');
      await insertFile(page, 'paste', await photo(30, 60), 'third.jpg');
      await text.locator('img[width="60"]').or(text.getByText('-60x30')).waitFor();
      await page.keyboard.type('!');
      await publish(page);
      const { body: last } = await storedPage(db, subdomain, id);
      assert.equal(last.replace(image, '[$1]'), wantedLast);
    }
  };
}

function orderImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const id = await create(page, { name: 'Own lines', body: '<p>One</p><h2>Two</h2>', bodyFormat: html });
    const becomes = async (wanted: string) => {
      await publish(page);
      const { body } = await storedPage(db, subdomain, id);
      const shown = body.replace(/<img src="[^"]*"(?: width="(\d+)"[^>]*)?>/g, (_, width = 'web') => `[${width}]`);
      assert.equal(shown.replaceAll('\n', ''), wanted);
    };
    await openPage(page, id);
    await text.getByText('One').click();
    await page.keyboard.press('End');
    // The first of three uploads fails, and is repeated after the others have arrived.
    let requests = 0;
    await page.route('**/admin/media?*', (route) => (++requests === 1 ? route.abort() : route.continue()));
    for (const width of [40, 50, 60]) await insertFile(page, 'paste', await photo(30, width), `${width}.jpg`);
    await text.locator('img[width="60"]').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await text.locator('img[width="40"]').waitFor();
    await becomes('<p>One</p><p>[40]</p><p>[50]</p><p>[60]</p><h2>Two</h2>');

    // Each image is undone separately, in the order of arrival.
    for (const left of ['<p>[50]</p><p>[60]</p>', '<p>[50]</p>', '']) {
      await text.press('Control+z');
      await becomes(`<p>One</p>${left}<h2>Two</h2>`);
    }

    // An image copied by itself from a website, and one by its address.
    await text.getByText('One').click();
    await page.keyboard.press('End');
    await page.evaluate(`paste('<img src="https://pictures.example/alone">', '')`);
    await becomes('<p>One</p><p>[web]</p><h2>Two</h2>');
    await text.press('Control+z');
    await becomes('<p>One</p><h2>Two</h2>');
    await text.press('Control+End');
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByRole('tab', { name: 'From the web' }).click();
    await page.getByLabel('Address of the image').fill('https://pictures.example/two');
    await page.getByRole('button', { name: 'Insert' }).click();
    await page.getByRole('button', { name: 'Later' }).click();
    await text.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Three');
    await becomes('<p>One</p><h2>Two</h2><p>[web]</p><p>Three</p>');

    // Letters that an input method composes go there, too.
    await text.press('Control+End');
    await page.evaluate(`paste('<img src="https://pictures.example/three">', '')`);
    const keyboard = await page.context().newCDPSession(page);
    for (const word of ['き', 'き '])
      await keyboard.send('Input.imeSetComposition', {
        text: word,
        selectionStart: word.length,
        selectionEnd: word.length,
      });
    await keyboard.send('Input.insertText', { text: '木' });
    await text.locator('p', { hasText: /^木$/ }).waitFor();
    await becomes('<p>One</p><h2>Two</h2><p>[web]</p><p>Three</p><p>[web]</p><p>木</p>');
  };
}

function dropFiles({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const id = await create(page, { name: 'Dropped', body: '<p>One two three</p><p>Four</p>', bodyFormat: html });
    await openPage(page, id);
    const drop = (pixels: number, type: string, bytes: Buffer) =>
      dropFile(text.getByText('One two three'), pixels, type, bytes);
    // Dropped on the first and on the last word. A file that is not an image adds nothing to the text.
    await drop(8, 'image/jpeg', await photo(30, 40));
    await text.locator('img[width="40"]').waitFor();
    await drop(8, 'application/pdf', Buffer.from('%PDF-'));
    await drop(95, 'image/jpeg', await photo(30, 50));
    await text.locator('img[width="50"]').waitFor();
    await publish(page);
    const { body } = await storedPage(db, subdomain, id);
    assert.equal(
      body.replace(/<img src="[^"]*" width="(\d+)"[^>]*>/g, '[$1]'),
      '<p>[40]</p>\n<p>One two three</p>\n<p>[50]</p>\n<p>Four</p>',
    );
  };
}

function orderMarkdownImages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const id = await create(page, { name: 'Own lines', body: 'One two three\n\n- Four', bodyFormat: markdown });
    const becomes = async (wanted: string) => {
      await publish(page);
      const { body } = await storedPage(db, subdomain, id);
      assert.equal(
        body.replace(/!\[\]\((?:[^)]*-(\d+)x30)?[^)]*\)/g, (_, width = 'web') => `[${width}]`),
        wanted,
      );
    };
    await openPage(page, id);
    // Dropped on the first and on the last word.
    for (const [pixels, width] of [
      [8, 40],
      [95, 50],
    ] as const) {
      await dropFile(text.getByText('One two three'), pixels, 'image/jpeg', await photo(30, width));
      await text.getByText(`-${width}x30`).waitFor();
    }
    await becomes('[40]\n\nOne two three\n\n[50]\n\n- Four');

    // An image copied by itself from a website. Text typed at once is not undone with it.
    await text.press('Control+End');
    await page.evaluate(`paste('<img src="https://pictures.example/alone">', '')`);
    await page.keyboard.type('Five');
    await becomes('[40]\n\nOne two three\n\n[50]\n\n- Four\n\n  [web]\n\n  Five');
    await text.press('Control+z');
    await becomes('[40]\n\nOne two three\n\n[50]\n\n- Four\n\n  [web]\n\n  ');
    for (const left of [
      '[40]\n\nOne two three\n\n[50]\n\n- Four',
      '[40]\n\nOne two three\n\n- Four',
      'One two three\n\n- Four',
    ]) {
      await text.press('Control+z');
      await becomes(left);
    }
  };
}

/** Drops a file on a line of text, at a number of pixels from the start of the text. */
async function dropFile(line: Locator, pixels: number, type: string, bytes: Buffer): Promise<void> {
  const { x, y, width, height } = (await line.boundingBox())!;
  await line.page().evaluate(`{
    const range = document.createRange();
    range.selectNodeContents(document.elementFromPoint(${x + width / 2}, ${y + height / 2}));
    const { left } = range.getBoundingClientRect();
    const place = { clientX: left + ${pixels}, clientY: ${y + height / 2}, bubbles: true, cancelable: true };
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.fromBase64('${bytes.toString('base64')}');
    dataTransfer.items.add(new File([bytes], 'a file', { type: '${type}' }));
    for (const name of ['dragover', 'drop'])
      document.elementFromPoint(place.clientX, place.clientY).dispatchEvent(new DragEvent(name, { ...place, dataTransfer }));
  }`);
}

function changeImage({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const body = '<p>One</p><p><img src="/a.png" alt="A" width="40" height="30"></p><p>Two</p>';
    const id = await create(page, { name: 'Image tools', body, bodyFormat: html });
    await openPage(page, id);
    const tool = (name: string) => page.getByRole('toolbar', { name: 'This image' }).getByRole('button', { name });
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.getByText('One').click();
    for (const key of ['End', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    // The image is selected, so its tools are above the text.
    await page.getByRole('radio', { name: 'Normal' }).press('ArrowRight');
    assert.equal(await tool('In the middle').isDisabled(), true, 'a wide image has no room beside it');
    await page.getByRole('radio', { name: 'Wide' }).press('ArrowLeft');
    await page.getByRole('radio', { name: 'Normal' }).press('ArrowLeft');
    await tool('On the right').press('Enter');
    await tool('Caption').press('Enter');
    await page.keyboard.type('By the river');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Behind it');
    await page.locator('figure img').click();
    await checkAllLooks(page, 'an image is selected');
    await tool('Link of the image').press('Enter');
    await page.getByLabel('Address, or the name').fill('https://example.com/river');
    await page.keyboard.press('Enter');
    await tool('Replace the image').press('Enter');
    await page.getByRole('tab', { name: 'From the web' }).click();
    await page.getByLabel('Address of the image').fill('/b.png');
    await page.getByLabel('What it shows').fill('B');
    await page.getByRole('button', { name: 'Replace the image', exact: true }).last().click();
    await page.locator('figure img[alt=B]').waitFor();
    await publish(page);
    const { body: stored } = await storedPage(db, subdomain, id);
    assert.equal(
      stored,
      '<p>One</p>\n<figure class="image-small float-right"><a href="https://example.com/river"><img src="/b.png" alt="B"></a><figcaption>By the river</figcaption></figure>\n<p>Behind it</p>\n<p>Two</p>',
    );
  };
}

function insertSourceImages({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    const src = 'https://example.com/a.png';
    const written = `<figure class="image-wide"><img src="${src}" alt="A &#38; B"><figcaption>In May</figcaption></figure>`;
    const insert = async (look?: () => Promise<void>) => {
      await page.getByRole('button', { name: 'Image', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Image' });
      await dialog.getByRole('tab', { name: 'From the web' }).click();
      await dialog.getByLabel('Address of the image').fill(src);
      await dialog.getByLabel('What it shows').fill('A & B');
      await dialog.getByText('Wide', { exact: true }).click();
      await dialog.getByLabel('Caption').fill('In May');
      await look?.();
      await dialog.getByRole('button', { name: 'Insert' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const source = (name: string) => page.getByRole('textbox', { name, exact: true });
    await openPage(page, await create(page, { name: 'Signs', body: '', bodyFormat: markdown }));
    await insert(() => checkAllLooks(page, 'an image with a size and a caption'));
    await source('Text of the page').getByText(written).waitFor();
    await openPage(page, await create(page, { name: 'Source', body: '<p>One</p>', bodyFormat: html }));
    await page.getByRole('button', { name: 'Show the HTML' }).click();
    await source('Text of the page as HTML').press('Control+End');
    await insert();
    await source('Text of the page as HTML').getByText(written).waitFor();
    await page.getByRole('button', { name: 'Back to the visual editor' }).click();
    const figure = source('Text of the page').locator('figure.image-wide');
    await figure.getByText('In May').waitFor();
    await figure.getByRole('img', { name: 'A & B' }).click();
    await page.locator('[value=wide]:checked').waitFor({ state: 'attached' });
  };
}

function changeSourceImages({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    const dialog = page.getByRole('dialog', { name: 'Image' });
    /** Opens the page, puts the cursor into `at`, and opens the dialog of the image there. */
    const ask = async (bodyFormat: string, body: string, at: string) => {
      await openPage(page, await create(page, { name: `Changed ${body.length}`, body, bodyFormat }));
      if (bodyFormat === html) await page.getByRole('button', { name: 'Show the HTML' }).click();
      const source = page.getByRole('textbox', { name: /^Text of the page/ });
      await source.waitFor();
      await page.evaluate(`{
        const content = document.querySelector('.cm-content');
        const view = (content.cmTile ?? content.cmView).view;
        view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf(${JSON.stringify(at)}) + 1 } });
      }`);
      await page.getByRole('button', { name: 'Image', exact: true }).click();
      return source;
    };
    const becomes = async (text: string) => {
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      const now = () =>
        page.evaluate<string>(`{
        const content = document.querySelector('.cm-content');
        (content.cmTile ?? content.cmView).view.state.doc.toString();
      }`);
      await eventually(t, now, (written) => written === text);
    };
    const choose = (name: string) => dialog.getByText(name, { exact: true }).click();

    await ask(markdown, 'One ![A](/a.png "Title") two', 'A](');
    assert.equal(await dialog.getByLabel('Address of the image').inputValue(), '/a.png');
    await dialog.getByLabel('Link of the image').fill('example.com');
    await becomes('One [![A](/a.png "Title")](https://example.com) two');

    await ask(markdown, 'One [![A](/a.png)](/b) two', '/b');
    assert.equal(await dialog.getByLabel('Link of the image').inputValue(), '/b');
    await choose('Small');
    await choose('Right');
    await dialog.getByLabel('Caption').fill('C');
    await becomes(
      'One \n\n<figure class="image-small float-right"><a href="/b"><img src="/a.png" alt="A"></a><figcaption>C</figcaption></figure>\n\n two',
    );

    const figure =
      '<figure class="image-wide own" id="f"><img src="/a.png" alt="A" width="2" height="1" srcset="/x 2x"><figcaption>An <em>oak</em></figcaption></figure>';
    await ask(html, `<p>One</p>${figure}<p>Two</p>`, 'oak');
    await checkAllLooks(page, 'an image in the source is changed');
    await dialog.getByLabel('Address of the image').fill('/b.png');
    await choose('Normal');
    await becomes(
      '<p>One</p><figure class="own" id="f"><img src="/b.png" alt="A"><figcaption>An <em>oak</em></figcaption></figure><p>Two</p>',
    );

    await ask(html, '<p class="a">One <a href="/x"><img src="/a.png" alt=""></a> two</p>', 'img');
    await choose('Full');
    await becomes(
      '<p class="a">One</p>\n<figure class="image-full"><a href="/x"><img src="/a.png" alt=""></a></figure>\n<p>two</p>',
    );
  };
}

function openOnSlowDevice({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, address } = await beginWriting(t, app);
    const id = await create(page, { name: 'Slow', body: '<p>One</p>', bodyFormat: html });
    // By this clock, the placeholder has only just appeared: React keeps it for a while, and Tiptap destroys the editor then.
    await page.addInitScript({
      content: 'const now = performance.now.bind(performance); performance.now = () => now() / 1000;',
    });
    await page.goto(`${new URL(address).origin}/pages/${id}`);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.getByText('One').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and two');
    await page.getByText('Draft saved').waitFor();
    await page.reload();
    await text.getByText('One and two').waitFor();
    await page.goto(`${new URL(address).origin}/pages`);
    await newPage(page, 'New and slow');
    await text.and(page.locator(':focus')).waitFor();
  };
}

function typeAfterSession({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, context, address, visit } = await beginWriting(t, app);
    const id = await create(page, { name: 'Notes', body: '', bodyFormat: markdown });
    await openPage(page, id);
    await typeText(page, 'Before. ');
    await page.getByText('Draft saved').waitFor();
    await endSessions(page);
    await page.keyboard.insertText('After it ended.');
    const cover = page.getByRole('dialog', { name: 'Sign in again' });
    await cover.waitFor();
    await page.keyboard.insertText('And more');
    // Other customers have the same e-mail address and password in these tests: the cover knows the site.
    await signInAgain(page);
    await cover.waitFor({ state: 'detached' });
    await page.getByText('Draft saved').waitFor();
    await page.getByRole('textbox', { name: 'Text of the page' }).and(page.locator(':focus')).waitFor();

    // Signing in again in another tab has the same effect.
    await endSessions(page);
    await page.keyboard.insertText(' And again.');
    await cover.waitFor();
    const other = await context.newPage();
    await other.goto(address);
    await signIn(other);
    await other.close();
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await cover.waitFor({ state: 'detached' });
    await publish(page);
    assert.match(await visit('/notes'), /Before\. After it ended\. And again\./);
  };
}

function typeWhilePublishing({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const id = await create(page, { name: 'Haste', body: '', bodyFormat: markdown });
    await openPage(page, id);
    await typeText(page, 'One');
    let releaseRequest = () => {};
    const held = new Promise<void>((resolve) => {
      releaseRequest = resolve;
    });
    await page.route('**/publish', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('textbox', { name: 'Text of the page' }).press('Control+End');
    await page.keyboard.insertText(' and two');
    releaseRequest();
    await toast(page, 'Published').waitFor();
    await page.getByText('Draft saved').waitFor();
    await page.getByRole('textbox', { name: 'Text of the page' }).getByText('One and two').waitFor();
    assert.equal((await storedPage(db, subdomain, id)).body, 'One');

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
    await page.getByRole('tree').waitFor();
    // The message about the first publication may still be shown.
    await eventually(
      t,
      () => storedPage(db, subdomain, id),
      ({ body }) => body === 'One and two',
    );
    const accountId = await accountOf(db, subdomain);
    assert.deepEqual(await db.selectFrom('drafts').select('page_id').where('account_id', '=', accountId).execute(), []);
  };
}
