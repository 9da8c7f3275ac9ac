import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { photo } from '../test/images.ts';
import {
  checkAccessible,
  checkAllLooks,
  endSessions,
  give,
  publish,
  publishBy,
  signIn,
  signInAgain,
  toast,
  write,
} from './house.ts';
import { eventually } from './program.ts';
import {
  accountOf,
  beginWriting,
  create,
  html,
  markdown,
  openPage,
  openPlace,
  type Place,
  storedPage,
} from './writing.ts';

/*
 * The editors of the admin app in a real browser, on SQLite alone: what is tried here is the browser's.
 */

test('the editors', async (t) => {
  const at = await openPlace(t);
  await t.test('lines that nobody edits keep their ends', lineEnds(at));
  await t.test('each button and each key of both editors does what it says, and is undone', buttons(at));
  await t.test('a key is for what is selected by then, however soon it comes', quickKeys(at));
  await t.test('the text has the keyboard as soon as a button or a dialog has done its work', writingOn(at));
  await t.test('the keys that save and publish write nothing into the text', keysOfThePage(at));
  await t.test('a key that publishes is the answer in a dialog, and publishes nothing behind it', keysOfDialogs(at));
  await t.test('a dialog has the keyboard before the next key', quickDialogs(at));
  await t.test('whoever discards a draft goes on where they were', afterDiscarding(at));
  await t.test('what one writes stays in view, whatever is in front of a long text', inView(at));
  await t.test('on a phone, a table and a question about an image leave the text where it is', onPhone(at));
  await t.test('a table is made, and gets and loses rows and columns', tables(at));
  await t.test('a list of tasks is written, and becomes a plain one', tasks(at));
  await t.test('a page of one’s own is found by its name, and linked to', ownLink(at));
  await t.test('a link that one is in is changed or removed, and one goes on where one was', changedLink(at));
  await t.test('a link whose text is its address leads to where that says, also when it is mended', ownAddress(at));
  await t.test('a date is typed part by part, also where there is no such day on the way', typedDate(at));
  await t.test('whoever pastes an image and writes on does so behind it', behindImages(at));
  await t.test('what is written outlives the session', expiredSession(at));
  await t.test('what is written while it is published, or left behind at once, is neither lost nor doubled', races(at));
});

function lineEnds({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
    const body = '# One\r\n\r\nTwo\nThree\rFour\r\n\n- Five\r\n';
    const id = await create(page, { name: 'Mixed', body, bodyFormat: markdown });
    const stored = () => storedPage(db, subdomain, id);
    await openPage(page, id);
    const text = page.getByRole('textbox', { name: 'Text of the page' });

    await text.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.insertText(' more');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('new');
    await publish(page);
    const edited = '# One more\r\nnew\r\n\r\nTwo\nThree\rFour\r\n\n- Five\r\n';
    assert.equal((await stored()).body, edited);

    // Deleted and undone, the ends are there again; another field is published with the body as it is.
    await text.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Page settings' }).click();
    await page.getByLabel('Excerpt').fill('In short.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+s');
    await page.getByText('Draft saved').waitFor();
    const draft = await db.selectFrom('drafts').select('fields').where('page_id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(draft.fields), { description: 'In short.' });
    await publish(page);
    assert.equal((await stored()).body, edited);
    assert.equal((await stored()).description, 'In short.');
  };
}

function tables({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
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

    // One that nobody has written in yet is a change, too; and so is that it goes.
    const empty = await create(page, { name: 'Empty table', body: '', bodyFormat: html });
    await openPage(page, empty);
    await page.getByRole('textbox', { name: 'Text of the page' }).click();
    await press('Table');
    await publish(page);
    const { body: saved } = await storedPage(db, subdomain, empty);
    assert.deepEqual([saved.match(/<tr>/g)?.length, saved.match(/<t[hd][ >]/g)?.length], [3, 6], saved);
    // Its first row heads it, and what is added to that, too.
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

function quickKeys({ house }: Place) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, house);
    await openPage(page, await create(page, { name: 'Quick', body: '<p>One</p><p>Two</p>', bodyFormat: html }));
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.press('Control+Home');
    // Without a turn of the browser's loop between them.
    await page.evaluate(`{
      const text = document.querySelector('[role=textbox].tiptap');
      getSelection().selectAllChildren(text.lastChild);
      text.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', code: 'KeyB', keyCode: 66, ctrlKey: true, bubbles: true }));
    }`);
    assert.equal(await text.innerHTML(), '<p>One</p><p><strong>Two</strong></p>');
    await page.evaluate(`{
      const text = document.querySelector('[role=textbox].tiptap');
      getSelection().selectAllChildren(text.firstChild);
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Three');
      text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }`);
    assert.equal(await text.innerHTML(), '<p>Three</p><p><strong>Two</strong></p>');
  };
}

function keysOfThePage({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
    for (const [name, format, body, written] of [
      ['Visual', html, '<p>One</p>', '<p>One, two</p>'],
      ['Markdown', markdown, 'One', 'One, two'],
      // Nothing is lost of what is opened as source, such as a comment.
      ['Source', html, '<!-- 1 --><p>One</p>', '<!-- 1 --><p>One</p>, two'],
    ] as const) {
      const id = await create(page, { name, body, bodyFormat: format });
      await openPage(page, id);
      const text = page.getByRole('textbox', { name: 'Text of the page' });
      await text.press('Control+End');
      await page.keyboard.insertText(', two');
      await page.keyboard.press('Control+s');
      await page.getByText('Draft saved').waitFor();
      await publishBy(page, () => page.keyboard.press('Control+Enter'));
      assert.equal((await storedPage(db, subdomain, id)).body, written);
      // Nor where there is nothing to publish.
      const shown = await text.innerText();
      await page.keyboard.press('Control+Enter');
      assert.equal(await text.innerText(), shown);
    }
  };
}

function keysOfDialogs({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const dialog = page.getByRole('dialog');
    const isGone = () => dialog.waitFor({ state: 'detached' });
    let published = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/publish')) published += 1;
    });
    for (const [format, body, written] of [
      [html, '<p>One</p>', '<p>One <a href="https://example.com">example.com</a></p>'],
      [markdown, 'One', 'One [example.com](https://example.com)'],
    ] as const) {
      const id = await create(page, { name: format, body, bodyFormat: format });
      await openPage(page, id);
      await text.press('Control+End');
      await page.keyboard.type(' ');
      await page.keyboard.press('Control+k');
      await dialog.waitFor();
      // There is no answer yet.
      await page.keyboard.press('Control+Enter');
      await page.keyboard.type('example.com');
      await page.keyboard.press('Control+Enter');
      await isGone();
      for (const name of ['Image', 'Page settings']) {
        await page.getByRole('button', { name, exact: true }).press('Enter');
        await dialog.waitFor();
        await dialog.getByRole('button', { name: 'Close' }).first().press('Control+Enter');
        await dialog.getByRole('button', { name: 'Close' }).first().press('Enter');
        await isGone();
      }
      await page.getByText('Draft saved').waitFor();
      assert.equal(published, 0);
      assert.equal((await storedPage(db, subdomain, id)).body, body);
      await publishBy(page, () => text.press('Control+Enter'));
      assert.equal((await storedPage(db, subdomain, id)).body, written);
      published = 0;
    }
  };
}

function quickDialogs({ house }: Place) {
  return async (t: TestContext) => {
    // With what moves: a dialog used to be there only with the frame in which that begins.
    const { page } = await beginWriting(t, house, { reducedMotion: 'no-preference' });
    /** Where the keyboard is once that is done, before the browser gets to anything else. */
    const after = (act: string) =>
      page.evaluate<string>(`(async () => {
        const press = (element, key, ctrlKey) => element.dispatchEvent(new KeyboardEvent('keydown', {
          key, code: key.length === 1 ? 'Key' + key.toUpperCase() : key, keyCode: key.length === 1 ? 75 : 27, ctrlKey, bubbles: true, cancelable: true,
        }));
        ${act};
        for (let turn = 0; turn < 10; turn++) await null;
        const at = document.activeElement;
        return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.localName;
      })()`);
    const dialog = page.getByRole('dialog');
    const isAt = (name: string) => page.getByRole('textbox', { name }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'New page' }).focus();
    assert.equal(await after('document.activeElement.click()'), 'Name');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New page' }).and(page.locator(':focus')).waitFor();
    assert.equal(await dialog.count(), 0);

    for (const [format, body] of [
      [html, '<p>One</p>'],
      [markdown, 'One'],
    ] as const) {
      await openPage(page, await create(page, { name: format, body, bodyFormat: format }));
      const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
      await text.press('Control+End');
      const searched = 'Address, or the name of one of your pages';
      assert.equal(await after("press(document.activeElement, 'k', true)"), searched, format);
      await page.keyboard.type('abc');
      assert.equal(await dialog.getByRole('textbox').inputValue(), 'abc');
      // Nor is anything lost of what is written right after it.
      await page.keyboard.press('Escape');
      await page.keyboard.type(' two');
      await isAt('Text of the page');
      assert.equal(await text.innerText(), 'One two', format);
    }
  };
}

function afterDiscarding({ house }: Place) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, house);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const name = page.getByRole('textbox', { name: 'Name of the page' });
    const discard = page.getByRole('button', { name: 'Discard the draft' });
    for (const [format, body] of [
      [html, '<p>One</p>'],
      [markdown, 'One'],
    ] as const) {
      await openPage(page, await create(page, { name: format, body, bodyFormat: format }));
      for (const [field, way, back] of [
        [text, 'pointer', text],
        [name, 'pointer', name],
        [text, 'keyboard', text],
      ] as const) {
        await field.press('Control+End');
        await page.keyboard.type(', two');
        if (way === 'pointer') await discard.click();
        else await discard.press('Enter');
        await discard.waitFor({ state: 'detached' });
        await back.and(page.locator(':focus')).waitFor();
        assert.equal(await text.innerText(), 'One');
        assert.equal(await name.inputValue(), format);
      }
    }
  };
}

function writingOn({ house }: Place) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, house);
    /** Where the keyboard is once that is done: before the browser gets to anything else, and when timers have had their say. */
    const after = (act: string) =>
      page.evaluate<string[]>(`(() => {
        const at = () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.localName;
        ${act};
        const atOnce = at();
        return new Promise((done) => setTimeout(() => requestAnimationFrame(() => done([atOnce, at()])), 50));
      })()`);
    const inText = ['Text of the page', 'Text of the page'];
    const dialog = page.getByRole('dialog');
    for (const [format, body] of [
      [html, '<p>One</p>'],
      [markdown, 'One'],
    ]) {
      await openPage(page, await create(page, { name: format, body, bodyFormat: format }));
      await page.getByRole('textbox', { name: 'Text of the page' }).press('Control+End');
      for (const [name, label, address] of [
        ['Link', 'Address, or the name of one of your pages', 'https://example.com/'],
        ['Embed', 'Address or code', 'https://youtu.be/dQw4w9WgXcQ'],
      ] as const) {
        await page.getByRole('button', { name, exact: true }).press('Enter');
        await dialog.getByLabel(label).fill(address);
        assert.deepEqual(await after(`document.querySelector('[role=dialog] form').requestSubmit()`), inText, name);
        await dialog.waitFor({ state: 'hidden' });
      }
      await page.getByRole('button', { name: 'Quotation', exact: true }).focus();
      assert.deepEqual(await after('document.activeElement.click()'), inText);
      // Whoever changes their mind is at the button again.
      await page.getByRole('button', { name: 'Link', exact: true }).press('Enter');
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await page.locator('button[aria-label=Link]:focus').waitFor();
    }
  };
}

function inView({ house }: Place) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, house, { viewport: { width: 1280, height: 720 } });
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const question = page.getByRole('textbox', { name: 'What does this image show?' });
    const lines = Array.from({ length: 80 }, (_, index) => `Line ${index}`);
    const texts = [
      [html, lines.map((line) => `<p>${line}</p>`).join('')],
      [markdown, lines.join('\n\n')],
    ] as const;
    /** Where the cursor is, and which part of the window nothing is in front of, in pixels from its top. */
    const places = (cover = '[role=toolbar]') =>
      page.evaluate<{ top: number; bottom: number; from: number; to: number }>(`(async () => {
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const cursor = document.querySelector('.cm-cursor-primary') ?? getSelection().getRangeAt(0);
        const { top, bottom } = cursor.getBoundingClientRect();
        return { top, bottom, from: document.querySelector('${cover}').getBoundingClientRect().bottom, to: innerHeight };
      })()`);
    const isInView = ({ top, bottom, from, to }: Awaited<ReturnType<typeof places>>) =>
      top > 0 && top >= from && bottom <= to;
    const press = async (key: string, times: number) => {
      for (let pressed = 0; pressed < times; pressed++) await page.keyboard.press(key);
    };
    const walk = async (cover?: string) => {
      await page.keyboard.press('Control+End');
      await press('ArrowUp', 30);
      await eventually(t, () => places(cover), isInView);
      await page.keyboard.type('x');
      await press('PageUp', 2);
      await eventually(t, () => places(cover), isInView);
      await press('ArrowDown', 30);
      await eventually(t, () => places(cover), isInView);
    };
    for (const [format, body] of texts) {
      await openPage(page, await create(page, { name: `Long ${format}`, body, bodyFormat: format }));
      await text.getByText('Line 0', { exact: true }).waitFor();
      await text.focus();
      await walk();

      // A question is in front of it, too: below the buttons, and not moved by what is written into it.
      const src = `https://pictures.example/${format}`;
      await page.evaluate(`paste('<p>x <img src="${src}"></p>', 'x ![](${src})')`);
      await question.waitFor();
      await walk('[role=toolbar] ~ form');
      const gap = await page.evaluate(`document.querySelector('[role=toolbar] ~ form').getBoundingClientRect().top -
        document.querySelector('[role=toolbar]').getBoundingClientRect().bottom`);
      assert.ok((gap as number) < 20, `${gap} pixels`);
      const scrolled = () => page.evaluate('scrollY');
      const before = await scrolled();
      const { x, y } = (await question.boundingBox())!;
      await page.mouse.click(x + 9, y + 9);
      await question.and(page.locator(':focus')).waitFor();
      await page.keyboard.type('Oak');
      await places();
      assert.equal(await scrolled(), before);
      await page.getByRole('button', { name: 'Later', exact: true }).click();
    }

    // What finds a word is below the buttons, and not in front of the head of the app.
    await text.press('Control+f');
    await page.keyboard.type('Line 7');
    await page.keyboard.press('Enter');
    await page.locator('.cm-searchMatch-selected').waitFor();
    const [bar, found, match] = await Promise.all(
      ['[role=toolbar]', '.cm-search', '.cm-searchMatch-selected'].map((which) => page.locator(which).boundingBox()),
    );
    assert.ok(found!.y >= bar!.y + bar!.height - 1, `${found!.y}`);
    assert.ok(match!.y >= found!.y + found!.height, `${match!.y}`);
  };
}

function onPhone({ house }: Place) {
  return async (t: TestContext) => {
    const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true };
    const { page } = await beginWriting(t, house, phone);
    const table = `<table><tbody><tr>${'<th>Considerable</th>'.repeat(6)}</tr></tbody></table>`;
    const body = `${table}${'<p>Line</p>'.repeat(60)}`;
    await openPage(page, await create(page, { name: 'Phone', body, bodyFormat: html }));
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.getByText('Line').last().tap();
    // A wide table is scrolled by itself.
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 375);

    // What is asked of an image is in view far down in the text as well: as a line, until somebody wants to answer.
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
    await page.keyboard.type('Oak');
    await page.keyboard.press('Enter');
    await text.and(page.locator(':focus')).waitFor();
    await text.locator('img[alt=Oak]').waitFor();
    assert.equal(await isSeen('[role=toolbar]'), true);
  };
}

function tasks({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain, visit } = await beginWriting(t, house);
    const id = await create(page, { name: 'Tasks', body: '<p>Saw</p>', bodyFormat: html });
    const stored = async () => (await storedPage(db, subdomain, id)).body;
    await openPage(page, id);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await text.press('Control+End');
    await press('List of tasks');
    for (const name of ['Plane', 'Glue']) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(name);
    }
    // A task that says nothing ends the list.
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

    // Beside its box, one deletes the box; and all of them by the button for a plain list.
    await text.getByText('Glue').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Backspace');
    await publish(page);
    assert.equal(await stored(), `${list.replace(task('Glue'), '<li>Glue</li>')}\n<p>Done</p>`);
    await text.press('Control+a');
    await press('List of tasks');
    await press('List');
    await publish(page);
    assert.equal(await stored(), '<ul><li>Saw</li><li>Plane</li><li>Glue</li><li>Done</li></ul>');

    // What is selected besides the items of a list becomes items of it, too, whatever it was; and that is undone at once.
    const every = (...names: string[]) =>
      `<ul class="contains-task-list">${names.map((name) => task(name)).join('')}</ul>`;
    const mixed = '<h2>Wood</h2><p></p><ol><li>Wait</li></ol><p>Oil</p><ul><li>Wax</li></ul><hr><p>Rest</p>';
    const other = await create(page, { name: 'Mixed', body: mixed, bodyFormat: html });
    await openPage(page, other);
    await text.getByText('Wood').waitFor();
    await text.press('Control+a');
    await press('List of tasks');
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

/** What becomes of the text `word`, all of which is selected; of dialogs, their names. */
const ofMarkdown: Readonly<Record<string, string>> = {
  Bold: '**word**',
  Italic: '*word*',
  'Struck through': '~~word~~',
  Code: '`word`',
  Heading: '## word',
  'Smaller heading': '### word',
  List: '- word',
  'Numbered list': '1. word',
  'List of tasks': '- [ ] word',
  Quotation: '> word',
  'Block of code': '```\nword\n```',
  Link: '[word](https://example.com)',
  Table: '| First | Second |\n| --- | --- |\n| | |\n\n',
  Line: '---\n\n',
};
const ofHtml: Readonly<Record<string, string>> = {
  Bold: '<p><strong>word</strong></p>',
  Italic: '<p><em>word</em></p>',
  'Struck through': '<p><s>word</s></p>',
  Code: '<p><code>word</code></p>',
  Heading: '<h2>word</h2>',
  'Smaller heading': '<h3>word</h3>',
  List: '<ul><li><p>word</p></li></ul>',
  'Numbered list': '<ol><li><p>word</p></li></ol>',
  'List of tasks': '<ul><li><p><input> word</p></li></ul>',
  Quotation: '<blockquote><p>word</p></blockquote>',
  'Block of code': '<pre><code>word</code></pre>',
  Link: '<p><a href="https://example.com">word</a></p>',
  Table: `<table><tbody><tr>${'<th><p></p></th>'.repeat(2)}</tr>${`<tr>${'<td><p></p></td>'.repeat(2)}</tr>`.repeat(2)}</tbody></table>`,
  Line: '<hr><p></p>',
};
const dialogs: Readonly<Record<string, string>> = { Image: 'Image', Embed: 'Embed a video or a map' };
const shortcuts = {
  'Control+b': 'Bold',
  'Control+i': 'Italic',
  'Control+e': 'Code',
  'Control+k': 'Link',
  'Control+Alt+2': 'Heading',
  'Control+Alt+3': 'Smaller heading',
};

function buttons({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
    const button = (name: string) => toolbar.getByRole('button', { name, exact: true });
    const select = () => text.press('Control+a');
    const setLink = async () => {
      const dialog = page.getByRole('dialog', { name: 'Link', exact: true });
      await dialog.getByRole('textbox').fill('example.com');
      await dialog.getByRole('button', { name: 'Set the link' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const lines = async () => (await text.locator('.cm-line').allTextContents()).join('\n');
    const elements = async () =>
      (await text.innerHTML())
        // What the page has besides is the editor's own.
        .replace(/<(colgroup|div|br|img)\b[^>]*>(?:.*?<\/(?:colgroup|div)>)?/g, '')
        .replace(/<(?!a )(\w+) [^>]*>/g, '<$1>')
        .replace(/<a .*?(href="[^"]*")[^>]*>/g, '<a $1>');

    for (const [format, word, made, written] of [
      [markdown, 'word', ofMarkdown, lines],
      [html, '<p>word</p>', ofHtml, elements],
    ] as const) {
      const id = await create(page, { name: format, body: word, bodyFormat: format });
      await openPage(page, id);
      await text.waitFor();
      const shows = (wanted: string) => eventually(t, written, (now) => now === wanted);
      const all = await toolbar.getByRole('button').all();
      const names = await Promise.all(all.map((one) => one.getAttribute('aria-label')));
      const known = [...Object.keys(made), ...Object.keys(dialogs), 'Undo', 'Redo'];
      assert.deepEqual(names.toSorted(), known.toSorted(), format);
      for (const [name, dialog] of Object.entries(dialogs)) {
        await button(name).click();
        await page.getByRole('dialog', { name: dialog }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      const press: [name: string, how: () => Promise<void>][] = [
        ...Object.entries(shortcuts).map(([key, name]): (typeof press)[number] => [
          name,
          () => page.keyboard.press(key),
        ]),
        ...Object.keys(made).map((name): (typeof press)[number] => [name, () => button(name).click()]),
      ];
      for (const [name, how] of press) {
        await select();
        await how();
        if (name === 'Link') await setLink();
        await shows(made[name]!);
        await button('Undo').click();
        await shows(word);
      }
      await select();
      await button('Heading').click();
      await button('Undo').click();
      await button('Redo').click();
      await publish(page);
      assert.equal((await storedPage(db, subdomain, id)).body, made.Heading);
    }
  };
}

function ownLink({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
    const id = await create(page, { name: 'Way', body: '', bodyFormat: html });
    await openPage(page, id);
    await page.getByRole('textbox', { name: 'Text of the page' }).click();
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Link' });
    await dialog.getByLabel('Address, or the name of one of your pages').fill('contac');
    await dialog.getByRole('button', { name: 'Contact' }).waitFor();
    await checkAllLooks(page, 'link');
    await dialog.getByRole('button', { name: 'Contact' }).click();
    // What is written behind it is none of it.
    await page.keyboard.type('.');
    await publish(page);
    assert.equal((await storedPage(db, subdomain, id)).body, '<p><a href="/contact">Contact</a>.</p>');

    // Whoever does not wait for what is found gets what they have typed by then, and not what was found before.
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

function changedLink({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
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
      await address.fill('/new');
      await address.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.type('-');
      await publish(page);
      assert.equal((await storedPage(db, subdomain, id)).body, changed);

      await text.press('Control+k');
      await dialog.getByRole('button', { name: 'Remove the link' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.type('-');
      await publish(page);
      assert.equal((await storedPage(db, subdomain, id)).body, without);
    }
  };
}

function ownAddress({ house }: Place) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, house);
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
    // In the middle, and right behind it.
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
    // It is undone with what it follows.
    await press('Control+z', 12);
    await shows();

    // Other words lead to where the address did.
    await text.press('Control+a');
    await page.keyboard.type(`${shop} `);
    await shows([shop, shop], [' ']);
    await page.keyboard.press('Home');
    await press('Delete', 'https://'.length);
    await shows(['shop.example.co', shop], [' ']);
    await press('ArrowRight', 4);
    await press('Delete', '.example.co'.length);
    await shows(['shop', shop], [' ']);
  };
}

function typedDate({ house }: Place) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, house, { locale: 'en-US' });
    await openPage(page, await create(page, { name: 'Fair' }));
    await page.getByRole('button', { name: 'Page settings' }).click();
    const date = page.getByRole('dialog', { name: 'Page settings' }).getByLabel('Date');
    await date.fill('2026-01-31T10:00');
    await date.focus();
    // There is no 31 February.
    await page.keyboard.type('021520271130P');
    assert.equal(await date.inputValue(), '2027-02-15T23:30');
    // Nor is there a date without a month; whoever leaves it so has the last one.
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

function expiredSession({ house }: Place) {
  return async (t: TestContext) => {
    const { page, context, address, visit } = await beginWriting(t, house);
    const id = await create(page, { name: 'Notes', body: '', bodyFormat: markdown });
    await openPage(page, id);
    await write(page, 'Before. ');
    await page.getByText('Draft saved').waitFor();
    await endSessions(page);
    await page.keyboard.insertText('After it ended.');
    const cover = page.getByRole('dialog', { name: 'Sign in again' });
    await cover.waitFor();
    await page.keyboard.insertText('And more');
    // Other customers have the same address and password here: the cover says whose site it is.
    await signInAgain(page);
    await cover.waitFor({ state: 'detached' });
    await page.getByText('Draft saved').waitFor();
    await page.getByRole('textbox', { name: 'Text of the page' }).and(page.locator(':focus')).waitFor();

    // Also where one signs in again in another tab.
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

function races({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
    const id = await create(page, { name: 'Haste', body: '', bodyFormat: markdown });
    await openPage(page, id);
    await write(page, 'One');
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/publish', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('textbox', { name: 'Text of the page' }).press('Control+End');
    await page.keyboard.insertText(' and two');
    goOn();
    await toast(page, 'Published').waitFor();
    await page.getByText('Draft saved').waitFor();
    await page.getByRole('textbox', { name: 'Text of the page' }).getByText('One and two').waitFor();
    assert.equal((await storedPage(db, subdomain, id)).body, 'One');

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
    await page.getByRole('tree').waitFor();
    // What is said of the first time may still be there.
    await eventually(
      t,
      () => storedPage(db, subdomain, id),
      ({ body }) => body === 'One and two',
    );
    const accountId = await accountOf(db, subdomain);
    assert.deepEqual(await db.selectFrom('drafts').select('page_id').where('account_id', '=', accountId).execute(), []);
  };
}

function behindImages({ house, db }: Place) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, house);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const [first, second] = await Promise.all([40, 50].map((width) => photo(30, width)));
    for (const [format, body, image] of [
      [html, '<p>One</p>', /<img src="[^"]*" width="(\d+)"[^>]*>/g],
      [markdown, 'One', /!\[\]\([^)]*-(\d+)x30[^)]*\)/g],
    ] as const) {
      const id = await create(page, { name: `Behind ${format}`, body, bodyFormat: format });
      await openPage(page, id);
      let goOn = () => {};
      const held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await page.route('**/admin/media?*', async (route) => {
        await held;
        await route.continue();
      });
      await text.press('Control+End');
      await give(page, 'paste', first!, 'first.jpg');
      await give(page, 'paste', second!, 'second.jpg');
      await page.keyboard.type('two');
      goOn();
      await text.locator('img[width="50"]').or(text.getByText('-50x30')).waitFor();
      await page.keyboard.type(' three');
      await publish(page);
      const { body: stored } = await storedPage(db, subdomain, id);
      assert.equal(stored.replace(image, '[$1]'), body.replace('One', 'One[40][50]two three'));
      // Alone, too, one writes on behind it.
      await page.unroute('**/admin/media?*');
      await text.press('Control+End');
      await give(page, 'paste', await photo(30, 60), 'third.jpg');
      await text.locator('img[width="60"]').or(text.getByText('-60x30')).waitFor();
      await page.keyboard.type('!');
      await publish(page);
      const { body: last } = await storedPage(db, subdomain, id);
      assert.equal(last.replace(image, '[$1]'), body.replace('One', 'One[40][50]two three[60]!'));
    }
  };
}
