import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from './program.ts';
import { publish, publishBy } from './test-app.ts';
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
 * The editors of the admin app in a real browser. SQLite alone is enough, because these stories test the part of the browser.
 */

describeWithDatabase('the editors: typing and keys', {
  'unedited lines keep their line endings': keepLineEndings,
  'text typed as soon as the editor appears stays, and can be undone': typeAtOnce,
  'each button and shortcut of both editors does what its name says, and can be undone': pressButtons,
  'a shortcut acts on the current selection, even right after it has changed': pressShortcutsEarly,
  'the text has the focus as soon as a button or a dialog has done its work': focusTextAfterActions,
  'the shortcuts that save and publish type nothing into the text': pressPageShortcuts,
  'the shortcut that publishes submits an open dialog, and does not publish the page behind it': pressDialogShortcuts,
  'a dialog has the focus before the next key is pressed': focusDialogsAtOnce,
  'the cursor stays where it was when a draft is discarded': keepCursorAfterDiscarding,
  'the cursor stays in view in a long text, whatever covers part of it': keepCursorInView,
});

function keepLineEndings({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
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

    // Undoing a deletion restores the line endings. Publishing another field leaves the body unchanged.
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

function typeAtOnce({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    const bodies = [
      { body: '<p>One</p>', bodyFormat: html },
      { body: 'One', bodyFormat: html },
      { body: 'One', bodyFormat: markdown },
    ];
    // Twice, because the timing differs.
    for (const [index, input] of [...bodies, ...bodies].entries()) {
      const id = await create(page, { name: `Quick ${index}`, ...input });
      await page.goto(new URL('/pages', page.url()).href);
      await page.getByRole('tree').waitFor();
      const text = await page.evaluate(`writeFromTheStart(${id})`);
      assert.deepEqual(text, { written: 'lettersOne', undone: 'One' }, JSON.stringify(input));
    }
  };
}

function pressShortcutsEarly({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    await openPage(page, await create(page, { name: 'Quick', body: '<p>One</p><p>Two</p>', bodyFormat: html }));
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    await text.press('Control+Home');
    // Selection and key in one task of the event loop.
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

function pressPageShortcuts({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    // Without `preventDefault`, the browser would save the app.
    await page.evaluate("addEventListener('keydown', (event) => { window.isTaken = event.defaultPrevented; })");
    for (const [name, format, body, written] of [
      ['Visual', html, '<p>One</p>', '<p>One, two</p>'],
      ['Markdown', markdown, 'One', 'One, two'],
      // Invisible content, such as a comment, is not lost.
      ['Comment', html, '<!-- 1 --><p>One</p>', '<!-- 1 --><p>One, two</p>'],
    ] as const) {
      const id = await create(page, { name, body, bodyFormat: format });
      await openPage(page, id);
      const text = page.getByRole('textbox', { name: 'Text of the page' });
      await text.press('Control+End');
      await page.keyboard.insertText(', two');
      if (format === html) await page.keyboard.press('Control+s');
      else await saveInRussian(page);
      assert.equal(await page.evaluate('isTaken'), true);
      await page.getByText('Draft saved').waitFor();
      await publishBy(page, () => page.keyboard.press('Control+Enter'));
      assert.equal((await storedPage(db, subdomain, id)).body, written);
      // The same holds if there is nothing to publish.
      const shown = await text.innerText();
      await page.keyboard.press('Control+Enter');
      assert.equal(await text.innerText(), shown);
    }
  };
}

/** Presses the shortcut for saving on a Russian keyboard, where the key has another letter. */
async function saveInRussian(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const key = { modifiers: 2, key: 'ы', code: 'KeyS', windowsVirtualKeyCode: 83 };
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

function pressDialogShortcuts({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
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
      const id = await create(page, { name: `Dialogs ${format}`, body, bodyFormat: format });
      published = 0;
      await openPage(page, id);
      await text.press('Control+End');
      await page.keyboard.type(' ');
      await page.keyboard.press('Control+k');
      await dialog.waitFor();
      // An empty dialog is not submitted.
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
    }
  };
}

function focusDialogsAtOnce({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    // With animations: dialogs once took the focus only in the frame in which their animation starts.
    const { page } = await beginWriting(t, app, { reducedMotion: 'no-preference' });
    /** Returns the focused element right after the action, before the browser runs anything else. */
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
      // No key pressed right after closing the dialog is lost, either.
      await page.keyboard.press('Escape');
      await page.keyboard.type(' two');
      await isAt('Text of the page');
      assert.equal(await text.innerText(), 'One two', format);
    }
  };
}

function keepCursorAfterDiscarding({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
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

function focusTextAfterActions({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    /** Returns the focused element right after the action, and again after the timers have run. */
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
      await openPage(page, await create(page, { name: `Focus ${format}`, body, bodyFormat: format }));
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
      // Closing the dialog returns the focus to the button.
      await page.getByRole('button', { name: 'Link', exact: true }).press('Enter');
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await page.locator('button[aria-label=Link]:focus').waitFor();
    }
  };
}

function keepCursorInView({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await shareWriter(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const question = page.getByRole('textbox', { name: 'What does this image show?' });
    const lines = Array.from({ length: 80 }, (_, index) => `Line ${index}`);
    const texts = [
      [html, lines.map((line) => `<p>${line}</p>`).join('')],
      [markdown, lines.join('\n\n')],
    ] as const;
    /** Returns the position of the cursor and the uncovered part of the window, in pixels from the top. */
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

      // A question covers the text, too: below the buttons, and typing into it does not move it.
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

    // The search bar is below the buttons, and does not cover the header of the app.
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

/** The result of each button for the selected text `word`, or the name of the dialog that it opens. */
const ofMarkdown: Readonly<Record<string, string>> = {
  Bold: '**word**',
  Italic: '*word*',
  Strikethrough: '~~word~~',
  Code: '`word`',
  Heading: '## word',
  'Smaller heading': '### word',
  List: '- word',
  'Numbered list': '1. word',
  'Task list': '- [ ] word',
  Quotation: '> word',
  'Code block': '```\nword\n```',
  Link: '[word](https://example.com)',
  Table: '| First | Second |\n| --- | --- |\n| | |\n\n',
  Line: '---\n\n',
};
const ofHtml: Readonly<Record<string, string>> = {
  Bold: '<p><strong>word</strong></p>',
  Italic: '<p><em>word</em></p>',
  Strikethrough: '<p><s>word</s></p>',
  Code: '<p><code>word</code></p>',
  Heading: '<h2>word</h2>',
  'Smaller heading': '<h3>word</h3>',
  List: '<ul><li><p>word</p></li></ul>',
  'Numbered list': '<ol><li><p>word</p></li></ol>',
  'Task list': '<ul><li><p><input> word</p></li></ul>',
  Quotation: '<blockquote><p>word</p></blockquote>',
  'Code block': '<pre><code>word</code></pre>',
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

function pressButtons({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await shareWriter(t, app);
    const text = page.getByRole('textbox', { name: 'Text of the page', exact: true });
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
    const button = (name: string) => toolbar.getByRole('button', { name, exact: true });
    const select = () => text.press('Control+a');
    const setLink = async () => {
      const dialog = page.getByRole('dialog', { name: 'Link', exact: true });
      await dialog.getByRole('textbox').fill('example.com');
      await dialog.getByRole('button', { name: 'Save the link' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const lines = async () => (await text.locator('.cm-line').allTextContents()).join('\n');
    const elements = async () =>
      (await text.innerHTML())
        // Other elements and attributes are added by the editor.
        .replace(/<(colgroup|div|br|img)\b[^>]*>(?:.*?<\/(?:colgroup|div)>)?/g, '')
        .replace(/<(?!a )(\w+) [^>]*>/g, '<$1>')
        .replace(/<a .*?(href="[^"]*")[^>]*>/g, '<a $1>');

    for (const [format, word, made, written] of [
      [markdown, 'word', ofMarkdown, lines],
      [html, '<p>word</p>', ofHtml, elements],
    ] as const) {
      const id = await create(page, { name: `Buttons ${format}`, body: word, bodyFormat: format });
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
