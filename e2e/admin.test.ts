import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { photo } from '../test/images.ts';
import { flatten } from '../test/service.ts';
import { firstHour } from './first-hour.ts';
import { nextDay } from './next-day.ts';
import { eventually } from './program.ts';
import { tenCustomers } from './ten-customers.ts';
import {
  callAdmin,
  changeFormat,
  describeTestApp,
  goTo,
  insertFile,
  newCustomerPage,
  newPage,
  publish,
  signedInPage,
  signIn,
  type TestApp,
  toast,
  typeText,
} from './test-app.ts';

/*
 * The admin app as a customer uses it: the real program, a real mail server, a real browser. people.test.ts does the same on
 * PostgreSQL, without a browser, because a browser never queries a database.
 */

describeTestApp('the admin app: main stories', {
  'a new customer signs in from the mail, writes, publishes, and visitors see it': signInAndPublish,
  'the first hour takes as few clicks and fields as docs/stories/first-hour.md says': firstHour,
  'the next day takes as few clicks and fields as docs/stories/next-day.md says': nextDay,
  'an agency gets from its first steps to ten paying customers, and corrects an address whose mail failed':
    tenCustomers,
  'the tree of pages works by keyboard alone, and every step can be undone': arrangeByKeyboard,
  'text written while the connection is down is saved when it is back': writeOffline,
  'several pages in the trash are restored, and deleted for good, at once': restoreSeveral,
  'a screen whose script cannot be loaded says so, and the rest of the app stays usable': loseScripts,
  'images are dropped, pasted and chosen, and visitors see them': insertImages,
  'a script in a page runs neither in the editor nor in its preview': openHostilePage,
});

/** Checks an app that was open during an update, and whose files the service no longer has. */
function loseScripts(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await signedInPage(t, app);
    const { origin } = new URL(address);
    const failure = page.getByRole('heading', { name: 'That did not work', level: 1 });
    const tryAgain = page.getByRole('button', { name: 'Try again' });
    const missing = '**/-/app/{images-screen,visual-editor}-*.js';
    await page.route(missing, (route) => route.fulfill({ status: 404 }));
    const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

    await entry('Images').click();
    await failure.waitFor();
    assert.match(await page.title(), /^That did not work/);
    // The user can go to another screen and come back.
    await entry('Pages').click();
    await page.getByRole('tree').waitFor();
    await entry('Images').click();
    await failure.waitFor();

    // Opening the screen by its address, and loading the editor's own files, fail in the same way.
    await page.goto(`${origin}/images`);
    await failure.waitFor();
    const { id } = await callAdmin(page, 'POST', 'pages', { name: 'Bread' });
    await page.goto(`${origin}/pages/${id}`);
    await failure.waitFor();
    await page.unroute(missing);
    await tryAgain.click();
    await page.getByRole('textbox', { name: 'Text of the page' }).waitFor();
    await entry('Images').click();
    await page.getByRole('heading', { name: 'Images', level: 1 }).waitFor();
  };
}

function restoreSeveral(app: TestApp) {
  return async (t: TestContext) => {
    const { page, pages } = await signedInPage(t, app);
    const left = ['Home', 'Services'];
    const [about, contact] = [...flatten(await pages())].filter(({ name }) => !left.includes(name));
    for (const { id } of [about!, contact!]) await callAdmin(page, 'DELETE', `pages/${id.replace('page_', '')}`);
    await goTo(page, '/trash', 'Trash');
    const namesAre = (...names: string[]) =>
      eventually(
        t,
        async () => [...flatten(await pages())].map(({ name }) => name),
        (now) => isDeepStrictEqual(now, names),
      );
    const selected = page.getByRole('group', { name: 'Selection' });

    const search = page.getByRole('searchbox', { name: 'Search deleted pages' });
    await search.fill('about');
    await page.getByText('1 found').waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 1);
    await search.fill('bread');
    await page.getByText('No page in the trash has “bread” in its name').waitFor();
    await search.press('Escape');
    await page.getByRole('checkbox', { name: 'Select About' }).press('Space');
    await selected.getByText('1 selected').waitFor();
    await selected.getByRole('button', { name: 'Select all shown' }).click();
    await selected.getByRole('button', { name: 'Restore' }).click();
    const restored = toast(page, '2 are back');
    await restored.waitFor();
    await namesAre('Home', 'About', 'Services', 'Contact');
    await restored.getByRole('button', { name: 'Undo' }).click();
    await toast(page, '2 are in the trash again').waitFor();
    await namesAre('Home', 'Services');

    await page.getByRole('checkbox', { name: 'Select Contact' }).check();
    await page.getByRole('checkbox', { name: 'Select About' }).check();
    await selected.getByRole('button', { name: 'Delete for good' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete for good?' });
    await dialog.getByText('2 pages will be deleted').waitFor();
    const discarded = page.waitForResponse((response) => response.url().endsWith('/admin/trash/pages/changes'));
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { name: 'No deleted pages' }).waitFor();
    // The screen shows the change before the service has made it.
    await discarded;
    await page.reload();
    await page.getByRole('heading', { name: 'No deleted pages' }).waitFor();
  };
}

function signInAndPublish(app: TestApp) {
  return async (t: TestContext) => {
    const { page, visit, siteAddress } = await newCustomerPage(t, app, { reducedMotion: 'no-preference' });
    await signIn(page);

    await t.test('text in Markdown is published', async () => {
      await newPage(page, 'Opening hours');
      await changeFormat(page, 'Markdown');
      await page.getByRole('textbox', { name: 'Text of the page' }).click();
      await page.keyboard.insertText('# Open\n\nFrom **eight** to six.');
      await publish(page);
      assert.match(await visit('/opening-hours'), /From <strong>eight<\/strong> to six\./);
    });

    await t.test('Ctrl + Z in the toolbar of the editor undoes the last edit of the text', async () => {
      await page.getByRole('button', { name: 'Bold' }).press('Control+z');
      await page.getByText('From **eight** to six.').waitFor({ state: 'detached' });
      assert.equal(await toast(page, 'Published').isVisible(), true);
      assert.match(await visit('/opening-hours'), /From <strong>eight<\/strong> to six\./);
      await page.getByRole('button', { name: 'Redo' }).press('Enter');
      await page.getByText('From **eight** to six.').waitFor();
    });

    await t.test('text of the visual editor is published', async () => {
      await changeFormat(page, 'Visual');
      await page.getByRole('button', { name: 'Change the format' }).click();
      await toast(page, 'The format is changed').waitFor();
      // The field for Markdown has the same name, and may still be there.
      const text = page.locator('.tiptap').and(page.getByRole('textbox', { name: 'Text of the page' }));
      await text.press('Control+End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Closed on ');
      await page.keyboard.press('Control+b');
      await page.keyboard.type('Sundays');
      await publish(page);
      assert.match(await visit('/opening-hours'), /Closed on <strong>Sundays<\/strong>/);
    });

    await t.test('an earlier version is restored', async () => {
      await page.getByRole('link', { name: 'Earlier versions' }).click();
      await page.getByRole('button', { name: 'Restore this version' }).click();
      await toast(page, 'That version is published again').waitFor();
      await page.getByRole('link', { name: 'Opening hours' }).click();
      await page.getByRole('heading', { name: 'Edit page' }).waitFor();
      const html = await visit('/opening-hours');
      assert.ok(html.includes('eight') && !html.includes('Sundays'));
    });

    await t.test(
      'a path of the former website redirects to the page until it is removed, which can be undone',
      async () => {
        await page.getByRole('button', { name: 'Page settings' }).click();
        const panel = page.getByRole('dialog', { name: 'Page settings' });
        await panel.getByText('No other addresses yet.').waitFor();
        await panel.getByLabel('Add an address').fill('/');
        await panel.getByRole('button', { name: 'Add', exact: true }).click();
        await panel.getByText('The address has to be like /old-page.html').waitFor();
        await panel.getByLabel('Add an address').fill('https://www.bakery.example/Hours.html');
        await panel.getByLabel('Add an address').press('Enter');
        await panel.getByText('/hours.html', { exact: true }).waitFor();
        const follow = () =>
          app.program.service.request('GET', '/hours.html', { headers: { Host: new URL(siteAddress).host } });
        assert.deepEqual([(await follow()).status, (await follow()).headers.location], [301, '/opening-hours']);
        await panel.getByRole('button', { name: 'Remove /hours.html' }).click();
        await toast(page, '/hours.html no longer leads here').waitFor();
        assert.equal((await follow()).status, 404);
        await toast(page, '/hours.html no longer leads here').getByRole('button', { name: 'Undo' }).click();
        await toast(page, '/hours.html leads here again').waitFor();
        assert.equal((await follow()).status, 301);
        await page.keyboard.press('Escape');
      },
    );

    await t.test('a page is unpublished, which can be undone', async () => {
      await page.getByRole('button', { name: 'Page settings' }).click();
      await page.getByRole('button', { name: 'Unpublish' }).click();
      await page.getByText('Not published', { exact: true }).waitFor();
      await toast(page, 'is no longer published').getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'Undone').waitFor();
      await page.getByText('Published', { exact: true }).waitFor();
      assert.match(await visit('/opening-hours'), /eight/);
      await page.getByRole('button', { name: 'Page settings' }).click();
      await page.getByRole('button', { name: 'Unpublish' }).click();
      await toast(page, 'is no longer published').waitFor();
      await page.getByText('This page is not published, so visitors cannot see it').waitFor();
    });

    await t.test('a published page below an unpublished one says that it is in no navigation', async () => {
      const above = Number(page.url().split('/').at(-1));
      const { id } = await callAdmin(page, 'POST', 'pages', { name: 'Holidays', parentId: above });
      await page.goto(page.url().replace(/\d+$/, String(id)));
      await typeText(page, 'Closed in August.');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await toast(page, 'people who have its address can see it now').waitFor();
      await page.getByText('because “Opening hours” above it is not').waitFor();
      assert.match(await visit('/opening-hours/holidays'), /Closed in August/);

      // The same holds after a change of address.
      await page.getByRole('button', { name: 'Page settings' }).click();
      await page.getByRole('textbox', { name: 'Address', exact: true }).fill('Summer 2027');
      // The address is shown as it will be, and not as it was typed.
      await page.getByText(`${siteAddress}/opening-hours/summer-2027`).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await toast(page, 'people who have its address can see it now. 1 address changed').waitFor();
      assert.match(await visit('/opening-hours/summer-2027'), /Closed in August/);
      await page.getByRole('link', { name: 'Earlier versions' }).click();
      // The newest of the earlier versions differs in its address, but not in its text.
      const different = page.getByRole('table', { name: 'Page settings that differ' });
      await different
        .getByRole('rowgroup')
        .filter({ hasText: /^Addressholidayssummer-2027$/ })
        .waitFor();
      assert.equal(await different.getByRole('rowgroup').count(), 2);
      await page.getByText('Name, excerpt and text are the same in both').waitFor();
      assert.doesNotMatch(await visit('/'), /Holidays/);
    });
  };
}

function arrangeByKeyboard(app: TestApp) {
  return async (t: TestContext) => {
    const { page, pages } = await signedInPage(t, app);
    const tree = page.getByRole('tree');
    const focused = () => page.evaluate<string>('document.activeElement?.textContent');
    // The tree shows every change before the service has stored it.
    const paths = async () => [...flatten(await pages())].map(({ url }) => url);
    const pathsAre = (wanted: string[]) => eventually(t, paths, (urls) => isDeepStrictEqual(urls, wanted));
    await pathsAre(['/home', '/about', '/services', '/contact']);

    await tree.getByRole('treeitem').first().focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'About');
    await page.keyboard.press('Alt+ArrowDown');
    await toast(page, 'moved').waitFor();
    await pathsAre(['/home', '/services', '/about', '/contact']);
    assert.equal(await focused(), 'About');

    await page.keyboard.press('Alt+ArrowRight');
    await toast(page, '1 address changed').waitFor();
    await pathsAre(['/home', '/services', '/services/about', '/contact']);
    await toast(page, '1 address changed').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    await pathsAre(['/home', '/services', '/about', '/contact']);

    await tree.getByRole('treeitem', { name: 'Contact' }).focus();
    await page.keyboard.press('F2');
    // This Enter ends a word in an input method, as for Japanese or Chinese, and must not submit the field.
    const field = page.getByRole('textbox', { name: 'New name' });
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    assert.equal(await field.isVisible(), true);
    await page.keyboard.insertText('Find us');
    await page.keyboard.press('Enter');
    await toast(page, 'Renamed').waitFor();
    // F2 renames the focused page, and not the one that was selected before.
    assert.deepEqual(
      [...flatten(await pages())].map(({ name }) => name),
      ['Home', 'Services', 'About', 'Find us'],
    );

    await page.keyboard.press('Delete');
    await toast(page, 'deleted').getByRole('button', { name: 'Undo' }).click();
    await tree.getByRole('treeitem', { name: 'Find us' }).waitFor();
    await eventually(t, pages, (all) => [...flatten(all)].length === 4);

    await tree.getByRole('treeitem', { name: 'Home' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await toast(page, '“Home” moved. “Services” is the home page now.').waitFor();
    await page.keyboard.press('Control+z');
    await pathsAre(['/home', '/services', '/about', '/contact']);
  };
}

function writeOffline(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context, visit } = await signedInPage(t, app);
    await newPage(page, 'Diary');
    const text = page.getByRole('textbox', { name: 'Text of the page' });
    await text.click();
    await context.setOffline(true);
    await page.keyboard.insertText('Written in a tunnel.');
    await page.getByText('kept on this device').waitFor();
    const address = page.url();
    // The tab is closed while there is still no connection.
    await page.close();
    await context.setOffline(false);
    const reopened = await context.newPage();
    await reopened.goto(address);
    await reopened.getByRole('textbox', { name: /^Text/ }).getByText('Written in a tunnel.').waitFor();
    await publish(reopened);
    assert.match(await visit('/diary'), /Written in a tunnel/);
  };
}

function insertImages(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context, siteAddress, pages } = await signedInPage(t, app);
    await newPage(page, 'Bridges');
    const editor = page.getByRole('textbox', { name: 'Text of the page' });
    // The editor has images of its own, which show nothing.
    const shown = editor.locator('img[src^="/admin/media/"]');

    await t.test('an image dropped into the visual editor shows its progress and is described', async () => {
      await typeText(page, 'Over the river');
      const sent = Promise.withResolvers<void>();
      await page.route('**/admin/media?*', (route) => sent.promise.then(() => route.continue()));
      await insertFile(page, 'drop', await photo(800, 600), 'bridge.jpg');
      await page.getByRole('progressbar', { name: 'Uploading bridge.jpg' }).waitFor();
      sent.resolve();
      await shown.waitFor();
      await page.unroute('**/admin/media?*');
      assert.equal(await page.getByRole('progressbar').count(), 0);
      await page.getByLabel('What does this image show?').fill('A bridge at "dawn"');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await loaded(shown);
      await publish(page);
      const [made] = [...flatten(await pages())].filter(({ name }) => name === 'Bridges');
      assert.match(
        made!.body,
        /<img src="\/media\/[0-9a-f]{32}-600x800\.webp" alt="A bridge at &quot;dawn&quot;" width="600" height="800">/,
      );
    });

    await t.test('a visitor loads the image in the size that fits, as AVIF, with its proportions', async () => {
      const visitor = await context.newPage();
      await visitor.setViewportSize({ width: 375, height: 700 });
      await visitor.goto(`${siteAddress}/bridges`);
      const image = visitor.getByRole('img', { name: 'A bridge at "dawn"' });
      const seen = await loaded(image);
      assert.match(seen.currentSrc, /-480x640\.avif$/);
      const ratio = seen.clientHeight / seen.clientWidth;
      assert.ok(seen.clientWidth <= 375 && Math.abs(ratio - 4 / 3) < 0.02, JSON.stringify(seen));
      await visitor.close();
    });

    await t.test('an image is deleted in the dialog, restored, and inserted again', async () => {
      await editor.press('Control+End');
      await page.getByRole('button', { name: 'Image', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Image' });
      await dialog.getByRole('button', { name: 'Delete A bridge' }).click();
      await dialog.getByText('There are no images yet').waitFor();
      await toast(page, 'now missing on Bridges').getByRole('button', { name: 'Undo' }).click();
      await dialog.getByRole('button', { name: 'Choose A bridge' }).click();
      assert.equal(await dialog.getByLabel('What it shows').inputValue(), 'A bridge at "dawn"');
      await dialog.getByRole('button', { name: 'Insert' }).click();
      await shown.nth(1).waitFor();
    });

    await t.test('images are listed with their descriptions and pages', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Images' }).click();
      await page.getByText(/^[\d.]+ [KM]B of [\d.]+ GB used$/).waitFor();
      const tile = page.getByRole('button', { name: /^bridge\.jpg/ });
      await tile.getByText('A bridge at "dawn"').waitFor();
      await tile.click();
      const dialog = page.getByRole('dialog', { name: 'Image' });
      await dialog.getByRole('link', { name: 'Bridges' }).waitFor();
      await dialog.getByLabel('What it shows').fill('A bridge at noon');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await tile.getByText('A bridge at noon').waitFor();
      await toast(page, 'Saved').getByRole('button', { name: 'Undo' }).click();
      await tile.getByText('A bridge at "dawn"').click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'No images yet' }).waitFor();
      await toast(page, 'now missing on Bridges').getByRole('button', { name: 'Undo' }).click();
      await tile.click();
      await dialog.getByRole('link', { name: 'Bridges' }).click();
      await shown.nth(1).waitFor();
    });

    await t.test('a file that cannot be shown is refused with a reason', async () => {
      await insertFile(
        page,
        'paste',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        'logo.svg',
        'image/svg+xml',
      );
      const notice = page.getByRole('status').filter({ hasText: 'logo.svg was not uploaded' });
      await notice.getByText('save it as PNG').waitFor();
      assert.equal(await page.getByRole('progressbar').count(), 0);
      await page.getByRole('button', { name: 'Leave it out' }).click();
      await notice.getByText('logo.svg').waitFor({ state: 'detached' });
    });

    await t.test('an image pasted into Markdown is in the preview', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
      await newPage(page, 'River');
      await changeFormat(page, 'Markdown');
      const text = page.getByRole('textbox', { name: 'Text of the page' });
      await text.click();
      await insertFile(page, 'paste', await photo(800, 600, 9), 'river.jpg');
      await page.getByRole('button', { name: 'Only decoration' }).click();
      await text.getByText(/^!\[\]\(\/media\/[0-9a-f]{32}-600x800\.webp\)<!-- decorative -->$/).waitFor();
      await page.getByText('Preview', { exact: true }).click();
      await loaded(page.frameLocator('iframe').locator('img'));
    });

    await t.test('several images are uploaded at once and described one after the other', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Images' }).click();
      const files = [3, 4].map(async (seed) => ({
        name: `mill-${seed}.jpg`,
        mimeType: 'image/jpeg',
        buffer: await photo(300, 200, seed),
      }));
      await page.locator('input[type=file]').setInputFiles(await Promise.all(files));
      const notice = page.getByRole('alert').filter({ hasText: 'not described yet' });
      await notice.getByText('2 new images are not described yet').waitFor();
      for (const [button, text] of [
        ['Describe the first', 'A mill'],
        ['Describe it', 'Its wheel'],
      ] as const) {
        await notice.getByRole('button', { name: button }).click();
        const dialog = page.getByRole('dialog', { name: 'Image' });
        await dialog.getByLabel('What it shows').fill(text);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page
          .getByRole('button', { name: /^mill-/ })
          .getByText(text)
          .waitFor();
      }
      await notice.waitFor({ state: 'hidden' });
    });

    await t.test(
      'an upload that ends while another image is being described does not disturb the description',
      async () => {
        const sent = Promise.withResolvers<void>();
        await page.route('**/admin/media?*', (route) => sent.promise.then(() => route.continue()));
        const late = { name: 'late.jpg', mimeType: 'image/jpeg', buffer: await photo(300, 200, 5) };
        await page.locator('input[type=file]').setInputFiles(late);
        await page.getByRole('progressbar', { name: 'Uploading late.jpg' }).waitFor();
        await page.getByRole('button', { name: /A mill$/ }).click();
        const dialog = page.getByRole('dialog', { name: 'Image' });
        const description = dialog.getByLabel('What it shows');
        await description.fill('A mill by the river');
        sent.resolve();
        await page.getByText('1 new image is not described yet').waitFor();
        await page.unroute('**/admin/media?*');
        assert.equal(await description.inputValue(), 'A mill by the river');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('button', { name: 'Describe it' }).click();
        await dialog.getByText('late.jpg').waitFor();
      },
    );
  };
}

interface Shown {
  naturalWidth: number;
  clientWidth: number;
  clientHeight: number;
  currentSrc: string;
  decode(): Promise<void>;
}

/** Waits until an image has loaded and can be decoded. */
async function loaded(
  image: Locator,
): Promise<Pick<Shown, 'naturalWidth' | 'clientWidth' | 'clientHeight' | 'currentSrc'>> {
  await image.waitFor();
  return image.evaluate(async (element: unknown) => {
    const shown = element as Shown;
    await shown.decode();
    const { naturalWidth, clientWidth, clientHeight, currentSrc } = shown;
    return { naturalWidth, clientWidth, clientHeight, currentSrc };
  });
}

function openHostilePage(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const body = '<p>Fine</p><script>top.hacked = 1</script><img src="x" onerror="top.hacked = 2">';
    await callAdmin(page, 'POST', 'pages', { name: 'Hostile', body, bodyFormat: 'wysiwyg_format' });
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('hostile');
    await page.getByRole('link', { name: 'Hostile' }).click();
    await page.getByRole('textbox', { name: 'Text of the page' }).getByText('Fine').waitFor();
    await page.getByText('Preview', { exact: true }).click();
    await page.frameLocator('iframe').getByText('Fine').waitFor();
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.equal(await page.locator('iframe').getAttribute('sandbox'), '');
  };
}
