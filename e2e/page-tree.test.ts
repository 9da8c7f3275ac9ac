import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { flatten } from '../test/service.ts';
import { delayRequests } from './admin-at-once.ts';
import { checkFits } from './admin-fit.ts';
import { eventually } from './program.ts';
import { checkAccessible, checkAllLooks, devtools, toast } from './test-app.ts';
import {
  type AppWithDatabase,
  accountOf,
  beginWriting,
  create,
  describeWithDatabase,
  fillWith,
  listBodies,
  markdown,
} from './writing.ts';

/*
 * The page tree of the admin app in a real browser. SQLite alone is enough, because these stories test the part of the browser.
 */

describeWithDatabase('the admin app: page tree', {
  'pages are moved by pointer or keyboard, after a question if several addresses change, and moved back': movePages,
  'scrolling the page tree leaves the focus on the selected page': scrollTree,
  'a new name of a page is saved wherever the user goes next, and a refused one can be corrected': renamePages,
  'a new page is created once, however often Enter is pressed': createPage,
  'the page tree and its search are restored when the user comes back': returnToTree,
  'page names have enough room on a phone, and rows do not move under the finger': selectOnPhone,
  'a tree of ten thousand pages is loaded in batches, and only visible rows are rendered': loadManyPages,
});

function movePages({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, pages } = await beginWriting(t, app);
    const services = (await pages()).find(({ name }) => name === 'Services')!;
    const parent = Number(services.id.replace('page_', ''));
    await create(page, { name: 'Repairs', parentId: parent });
    await create(page, { name: 'Restoring', parentId: parent });
    await page.reload();
    const tree = page.getByRole('tree');
    const row = (name: string) => tree.getByRole('treeitem', { name, exact: true });
    const paths = async () => [...flatten(await pages())].map(({ url }) => url);
    const before = ['/home', '/about', '/services', '/services/repairs', '/services/restoring', '/contact'];
    assert.deepEqual(await paths(), before);
    // An undo takes effect before the tree is shown.
    const isShown = () =>
      eventually(
        t,
        () => tree.getByRole('treeitem').allTextContents(),
        (names) => names.filter((name) => !name.startsWith('Re')).join() === 'Home,About,Services,Contact',
      );

    await t.test('a page is moved between two others by pointer', async () => {
      await drag(page, row('Contact'), row('About'), 0.1);
      await toast(page, 'moved').waitFor();
      assert.deepEqual((await paths())[1], '/contact');
      await toast(page, 'moved').getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'Undone').waitFor();
      assert.deepEqual(await paths(), before);
      await isShown();
    });

    await t.test('a page is moved into another after a question that says how many addresses change', async () => {
      await drag(page, row('Services'), row('About'), 0.5);
      const dialog = page.getByRole('dialog', { name: 'Move this page?' });
      await dialog.getByText('changes 3 addresses').waitFor();
      await checkAllLooks(page, 'before a move');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
      assert.deepEqual(await paths(), before);
      await drag(page, row('Services'), row('About'), 0.5);
      await dialog.getByRole('button', { name: 'Move and change 3 addresses' }).click();
      await toast(page, '3 addresses changed').waitFor();
      const after = [
        ...['/home', '/about', '/about/services', '/about/services/repairs', '/about/services/restoring', '/contact'],
      ];
      assert.deepEqual(await paths(), after);
      await toast(page, '3 addresses changed').getByRole('button', { name: 'Undo' }).click();
      await eventually(t, paths, (now) => now.join() === before.join());
      await isShown();
    });

    await t.test('the question before a move has the focus at once', async () => {
      const release = await delayRequests(page);
      await row('Services').click();
      await page.keyboard.press('Alt+ArrowRight');
      const dialog = page.getByRole('dialog', { name: 'Move this page?' });
      await dialog.locator(':focus').waitFor();
      for (const key of ['Enter', 'Delete', 'F2']) await page.keyboard.press(key);
      await release();
      await dialog.locator('button:focus', { hasText: 'Move and change 3 addresses' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await page.locator('[role=treeitem]:focus', { hasText: 'Services' }).waitFor();
      assert.deepEqual(await paths(), before);

      // The focus stays where the user has moved it while the addresses are being counted.
      const releaseAgain = await delayRequests(page);
      await page.keyboard.press('Alt+ArrowRight');
      await dialog.locator(':focus').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).focus();
      await releaseAgain();
      await dialog.getByText('changes 3 addresses').waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      await page.locator('[role=treeitem]:focus', { hasText: 'Services' }).waitFor();
      assert.deepEqual(await paths(), before);
    });

    await t.test('a collapsed page expands while another one is dragged over it', async () => {
      await page.reload();
      await grab(page, row('Contact'));
      await over(page, row('Services'), 0.5);
      await over(page, row('Restoring'), 0.1);
      await page.mouse.up();
      await toast(page, 'moved').waitFor();
      assert.deepEqual((await paths()).slice(2, 5), ['/services', '/services/repairs', '/services/contact']);
      await page.keyboard.press('Control+z');
      await eventually(t, paths, (now) => now.join() === before.join());
      await row('Services').press('ArrowLeft');
      await row('Restoring').waitFor({ state: 'detached' });
    });

    await t.test('the settings of a page say how many addresses a new address changes', async () => {
      for (const [name, note] of [
        ['Services', 'Publishing this changes 3 addresses.'],
        ['Contact', 'Publishing this changes 1 address.'],
      ] as const) {
        await row(name).press('Enter');
        await page.getByRole('button', { name: 'Page settings' }).click();
        const panel = page.getByRole('dialog', { name: 'Page settings' });
        await panel.getByRole('textbox', { name: 'Address', exact: true }).fill('Workshop');
        await panel.getByRole('status').filter({ hasText: note }).waitFor();
        await panel.getByRole('button', { name: 'Close' }).last().click();
        await page.getByRole('button', { name: 'Discard the draft' }).click();
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
        await tree.waitFor();
      }
      assert.deepEqual(await paths(), before);
    });

    await t.test('the home page says in its settings where visitors find it', async () => {
      const panel = page.getByRole('dialog', { name: 'Page settings' });
      for (const [name, isHome] of [
        ['Home', true],
        ['Contact', false],
      ] as const) {
        await row(name).press('Enter');
        await page.getByRole('button', { name: 'Page settings' }).click();
        await panel.getByText('In a search engine').waitFor();
        assert.equal(await panel.getByText('This is the home page').count(), isHome ? 1 : 0, name);
        const address = await panel.getByText(/^https?:/).textContent();
        assert.equal(new URL(address!).pathname, isHome ? '/' : '/contact');
        await panel.getByRole('button', { name: 'Close' }).last().click();
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
        await tree.waitFor();
      }
    });

    await t.test('a page is moved by keyboard: up, down, in and out', async () => {
      // Each step starts from the position after the step before.
      const step = async (key: string, path: string, position: number) => {
        await page.locator('[role=treeitem]:focus', { hasText: 'Contact' }).waitFor();
        const moved = page.waitForResponse((response) => {
          const { preview } = JSON.parse(response.request().postData() ?? '{}');
          return response.url().endsWith('/move') && !preview;
        });
        await page.keyboard.press(`Alt+${key}`);
        await moved;
        assert.equal((await paths())[position], path, key);
      };
      await row('Contact').click();
      await step('ArrowUp', '/contact', 2);
      await step('ArrowDown', '/contact', 5);
      await step('ArrowRight', '/services/contact', 5);
      await step('ArrowLeft', '/contact', 5);
      assert.deepEqual(await paths(), before);
    });

    await t.test('deleting a page with all pages below it moves the focus to the page beside it', async () => {
      const repairs = (await pages()).flatMap((each) => [...flatten([each])]).find(({ name }) => name === 'Repairs')!;
      await create(page, { name: 'Recasting', parentId: Number(repairs.id.replace('page_', '')) });
      await page.reload();
      await row('Services').click();
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('ArrowRight');
      await row('Repairs').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await row('Recasting').waitFor();
      await row('Services').click();
      await page.keyboard.press('Delete');
      await page.getByRole('dialog').getByText('below it go to the trash').waitFor();
      await page
        .getByRole('button', { name: /^Delete \d pages$/ })
        .and(page.locator(':focus'))
        .press('Enter');
      await page.locator('[role=treeitem][aria-selected=true]:focus', { hasText: 'Home' }).waitFor();
      await toast(page, 'deleted').waitFor();
    });

    await t.test('Ctrl + Z undoes a deletion even after the app was loaded again', async () => {
      await page.reload();
      await row('Home').click();
      assert.equal(await row('Services').count(), 0);
      await page.keyboard.press('Control+z');
      await toast(page, 'Undone: ').waitFor();
      await row('Services').waitFor();
      assert.ok((await paths()).includes('/services/repairs/recasting'));
    });
  };
}

/** Drags a row as a hand does. `part` is the height in the target row, from 0 to 1, at which it is dropped. */
async function drag(page: Page, from: Locator, to: Locator, part: number): Promise<void> {
  // Wait until the rows no longer move.
  await to.hover();
  await grab(page, from);
  await over(page, to, part);
  await page.mouse.up();
}

async function grab(page: Page, from: Locator): Promise<void> {
  await from.hover();
  const start = (await from.boundingBox())!;
  await page.mouse.move(start.x + 120, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + 124, start.y + start.height / 2 - 6, { steps: 3 });
}

async function over(page: Page, to: Locator, part: number): Promise<void> {
  await to.waitFor();
  const end = (await to.boundingBox())!;
  const y = end.y + end.height * part;
  await page.mouse.move(end.x + 120, y, { steps: 6 });
  // A hand is never still, so browsers keep sending move events.
  await page.mouse.move(end.x + 121, y);
  await to.and(page.locator('[data-drop]')).waitFor();
}

const leavesTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ what: `Leaf ${index}`, body: '', format: markdown }) as const);

function scrollTree({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    await fillWith(db, await accountOf(db, subdomain), leavesTo(150));
    await page.reload();
    const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
    const at = (name: string) => page.locator('[role=treeitem]:focus', { hasText: name }).waitFor();
    const scrollY = () => page.evaluate<number>('scrollY');
    /** Scrolls with the wheel, and waits until nothing changes the position any more. */
    const scrollTo = async (shown: string, pixels: number) => {
      const y = (await scrollY()) + pixels;
      await page.mouse.wheel(0, pixels);
      await eventually(t, scrollY, (now) => now === y);
      await row(shown).waitFor();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.equal(await scrollY(), y);
    };

    await row('Leaf 0').click();
    await scrollTo('Leaf 90', 4000);
    await page.keyboard.press('ArrowDown');
    await at('Leaf 1');
    await row('Leaf 1').click({ trial: true });

    // A held key moves the focus back up, and nothing covers the focused row.
    const holdKey = async (key: string, times: number, name: string) => {
      for (let time = 0; time < times; time++) await page.keyboard.down(key);
      await page.keyboard.up(key);
      await at(name);
      assert.ok(await page.evaluate(isFullyVisible), `${name} is covered`);
    };
    await holdKey('ArrowDown', 40, 'Leaf 41');
    await holdKey('ArrowUp', 30, 'Leaf 11');
    await page.keyboard.down('Alt');
    // Each step starts from the result of the one before.
    await holdKey('ArrowUp', 8, 'Leaf 11');
    assert.equal(await row('Leaf 11').getAttribute('aria-posinset'), '8');
    await page.keyboard.up('Alt');
    await toast(page, 'moved').waitFor();
    await holdKey('ArrowUp', 3, 'Leaf 0');
    await holdKey('ArrowDown', 1, 'Leaf 1');

    // Scrolling does not lose a name that is being typed.
    await page.keyboard.press('F2');
    await page.getByLabel('New name for Leaf 1').fill('Leaf one');
    await scrollTo('Leaf 90', 4000);
    await page.keyboard.press('Enter');
    await toast(page, 'Renamed').waitFor();
    await at('Leaf one');

    // Tab leads to the selected page.
    await page.getByRole('searchbox', { name: 'Search pages' }).focus();
    await scrollTo('Leaf 90', 4000);
    await eventually(
      t,
      async () => {
        await page.keyboard.press('Tab');
        return page.locator('[role=treeitem]:focus').allTextContents();
      },
      (names) => names.join().startsWith('Leaf one'),
    );
  };
}

/** True if the focused element is completely visible. */
const isFullyVisible = `(() => {
  const element = document.activeElement;
  const { left, width, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + width / 2, y)));
})()`;

function renamePages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain, pages } = await beginWriting(t, app);
    await fillWith(db, await accountOf(db, subdomain), leavesTo(60));
    await page.reload();
    const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
    const at = (name: string) => page.locator('[role=treeitem]:focus', { hasText: name }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search pages' });
    const write = async (name: string, newName: string) => {
      await row(name).click();
      await page.keyboard.press('F2');
      await page.getByLabel(`New name for ${name}`).fill(newName);
    };
    const isStored = (name: string) =>
      eventually(t, pages, (all) => [...flatten(all)].some((one) => one.name === name));

    await t.test('a new name is saved when the user selects another page', async () => {
      await write('Leaf 1', 'Leaf one');
      await row('Leaf 3').click();
      await isStored('Leaf one');
      await at('Leaf 3');
      await page.keyboard.press('ArrowDown');
      await at('Leaf 4');
    });

    await t.test('a new name is saved when the user selects a page after scrolling far away', async () => {
      await write('Leaf 2', 'Leaf two');
      await page.mouse.wheel(0, 1500);
      await row('Leaf 40').waitFor();
      const { x, y } = (await row('Leaf 40').boundingBox())!;
      await page.mouse.click(x + 100, y + 10);
      await isStored('Leaf two');
      await at('Leaf 40');
    });

    await t.test('a new name is saved when the user goes to the search', async () => {
      await page.keyboard.press('Home');
      await write('Leaf 5', 'Leaf five');
      await search.click();
      await page.keyboard.type('leaf fi');
      await page.getByRole('link', { name: 'Leaf five' }).waitFor();
      assert.equal(await search.inputValue(), 'leaf fi');
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await page.locator('input[type=search]:focus').waitFor();
      assert.equal(await search.inputValue(), '');
    });

    await t.test('a new name that is taken can be corrected', async () => {
      await write('Leaf 6', 'Leaf 7');
      await page.keyboard.press('Enter');
      await toast(page, '“Leaf 6” was not renamed').getByText('Name is already taken').waitFor();
      const field = page.getByLabel('New name for Leaf 6');
      assert.equal(await field.inputValue(), 'Leaf 7');
      await field.press('End');
      await page.keyboard.type('a');
      await page.keyboard.press('Enter');
      await isStored('Leaf 7a');
      await at('Leaf 7a');
    });

    await t.test('a second new name is saved even if the service has not answered to the first', async () => {
      const release = await delayRequests(page);
      await write('Leaf 10', 'Ten');
      await page.keyboard.press('Enter');
      await at('Ten');
      await write('Ten', 'Tenth');
      await page.keyboard.press('Enter');
      await at('Tenth');
      await page.keyboard.press('Alt+ArrowRight');
      await row('Tenth').and(page.locator('[aria-level="2"]')).waitFor();
      await at('Tenth');
      await page.keyboard.press('Delete');
      await row('Tenth').waitFor({ state: 'detached' });
      await release();
      await toast(page, '“Tenth” deleted').waitFor();
      await page.keyboard.press('Control+z');
      await toast(page, 'Undone').waitFor();
      await isStored('Tenth');
      await row('Leaf 9').and(page.locator('[aria-expanded=true]')).waitFor();
    });

    await t.test('a name is not saved while a character is composed', async () => {
      await write('Leaf 8', '');
      const tools = await devtools(page);
      await tools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
      for (const type of ['rawKeyDown', 'keyUp'] as const) {
        await tools.send('Input.dispatchKeyEvent', { type, key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 });
      }
      await tools.send('Input.insertText', { text: '日本' });
      assert.equal(await page.getByLabel('New name for Leaf 8').inputValue(), '日本');
      await page.keyboard.press('Enter');
      await isStored('日本');
    });
  };
}

function createPage({ app }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page } = await beginWriting(t, app);
    const gate = Promise.withResolvers<void>();
    await page.route('**/admin/pages', async (route) => {
      if (route.request().method() === 'POST') await gate.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'New page' }).press('Enter');
    await page.keyboard.type('Fair');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('tree').getByText('Fair').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.locator('h1:focus').waitFor();
    gate.resolve();
    await page.getByRole('heading', { name: 'Edit page' }).waitFor();
  };
}

function returnToTree({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const branch = await create(page, { name: 'Branch' });
    await create(page, { name: 'Twig', parentId: branch });
    await fillWith(db, await accountOf(db, subdomain), leavesTo(120));
    await page.reload();
    const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
    const editor = page.getByRole('heading', { name: 'Edit page' });
    const trail = page.getByRole('navigation', { name: 'Where this page is' });
    const search = page.getByRole('searchbox', { name: 'Search pages' });
    const isAt = async (name: string) => {
      await page.locator('[role=treeitem][aria-selected=true]:focus', { hasText: name }).waitFor();
      assert.ok(await page.evaluate(isFullyVisible), `${name} is not completely visible`);
      await page.getByRole('toolbar', { name: `Actions for ${name}` }).waitFor();
    };
    await row('Branch').click();
    await page.keyboard.press('ArrowRight');
    await row('Twig').waitFor();
    await page.mouse.wheel(0, 3000);
    await row('Leaf 70').dblclick();

    await t.test('the link above the page leads back to the tree as it was', async () => {
      await editor.waitFor();
      await trail.getByRole('link', { name: 'Pages' }).click();
      await isAt('Leaf 70');
      await page.keyboard.press('ArrowDown');
      await isAt('Leaf 71');
    });

    await t.test('the browser’s back button leads back to the tree as it was', async () => {
      const y = await page.evaluate<number>('scrollY');
      await page.keyboard.press('Enter');
      await editor.waitFor();
      await page.goBack();
      await isAt('Leaf 71');
      await eventually(
        t,
        () => page.evaluate<number>('scrollY'),
        (now) => now === y,
      );
      await page.keyboard.press('Home');
      await row('Twig').waitFor();
    });

    await t.test('going back from a found page leads to the search results', async () => {
      await search.fill('leaf 11');
      await page.getByRole('link', { name: 'Leaf 112' }).click();
      await editor.waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Leaf 112' }).waitFor();
      assert.equal(await search.inputValue(), 'leaf 11');
      await page.reload();
      await page.getByRole('link', { name: 'Leaf 113' }).click();
      await editor.waitFor();
      // A link above the page leads to the whole tree, even if the page was found by a search.
      await trail.getByRole('link', { name: 'Pages' }).click();
      await row('Home').waitFor();
      assert.equal(await search.inputValue(), '');
      await search.fill('leaf 11');
      await page.getByRole('link', { name: 'Leaf 112' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
      await row('Home').waitFor();
      assert.equal(await search.inputValue(), '');
    });

    await t.test('results of an earlier search are dimmed while the next one loads', async () => {
      const free = Promise.withResolvers<void>();
      await page.route(/search\?q=zz/, async (route) => {
        await free.promise;
        await route.continue();
      });
      const found = page.getByRole('link', { name: 'Leaf 112' });
      const opacity = () =>
        page.evaluate<string>("getComputedStyle(document.querySelector('main [role=status]').parentElement).opacity");
      await search.fill('leaf 11');
      await found.waitFor();
      assert.equal(await opacity(), '1');
      await search.fill('zz');
      await eventually(t, opacity, (now) => now === '0.5');
      await page.getByRole('main').getByRole('status').filter({ hasText: 'Loading…' }).waitFor();
      await found.waitFor();
      free.resolve();
      await page.getByText('No page found').waitFor();
      assert.equal(await opacity(), '1');
    });
  };
}

function selectOnPhone({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const phone = { viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true };
    const { page, subdomain } = await beginWriting(t, app, phone);
    const ids: number[] = [];
    for (let level = 1; level <= 14; level += 1) {
      ids.push(await create(page, { name: `Level ${level}`, parentId: ids.at(-1) ?? 0 }));
    }
    const word = 'Donaudampfschifffahrtsgesellschaftskapitän';
    await create(page, { name: word });
    const key = `app:open:${await accountOf(db, subdomain)}`;
    await page.evaluate(`localStorage.setItem('${key}', '${JSON.stringify(ids)}')`);
    const fonts = Promise.withResolvers<void>();
    await page.route('**/*.woff2', (route) => fonts.promise.then(() => route.continue()));
    await page.reload();
    const row = (name: string) => page.getByRole('treeitem', { name, exact: true });

    const before = (await row('About').boundingBox())!;
    fonts.resolve();
    await page.evaluate('document.fonts.ready.then(() => {})');
    assert.deepEqual(await row('About').boundingBox(), before, 'the row did not move when the fonts arrived');
    await row('About').tap();
    await page.getByRole('toolbar', { name: 'Actions for About' }).waitFor();
    assert.deepEqual(await row('About').boundingBox(), before);

    await row('Level 14').tap();
    await checkFits(page, 'a tree with many levels');
    const { width } = (await row('Level 14').getByText('Level 14').boundingBox())!;
    assert.ok(width > 50, `the name has only ${width} pixels`);

    await row(word).tap();
    await page.getByRole('button', { name: 'Delete' }).tap();
    const undo = toast(page, 'deleted').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await checkFits(page, 'a message with a long word');
    const { left, right } = (await page.evaluate(`(() => {
      const { left, right } = document.querySelector('[role=alert] button').getBoundingClientRect();
      return { left, right };
    })()`)) as { left: number; right: number };
    assert.ok(left > 0 && right < 375, 'the button is within reach');
    await undo.tap();
    await row(word).waitFor();
    await row(word).tap();
    await page.getByRole('button', { name: `Add a page inside ${word}` }).tap();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await checkFits(page, 'a dialog with a long word');
  };
}

const MANY = 10_000;

function loadManyPages({ app, db }: AppWithDatabase) {
  return async (t: TestContext) => {
    const { page, subdomain } = await beginWriting(t, app);
    const accountId = await accountOf(db, subdomain);
    // Two thousand at the root, and the rest below one of them.
    const row = (index: number) => ({ what: `Leaf ${index}`, body: '', format: markdown }) as const;
    await fillWith(
      db,
      accountId,
      Array.from({ length: 2000 }, (_, index) => row(index)),
    );
    const [first] = await listBodies(db, accountId);
    await fillWith(
      db,
      accountId,
      Array.from({ length: MANY - 2000 }, (_, index) => row(2000 + index)),
      first!.id,
    );
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/admin/pages')) requests.push(pathname + search);
    });
    const shown = () => page.getByRole('treeitem').count();
    const started = performance.now();
    await page.reload();
    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem', { name: 'Leaf 0', exact: true }).waitFor();
    const opened = performance.now() - started;
    assert.equal(requests.length, 1, 'only one batch is loaded at first');
    assert.ok((await shown()) < 80, 'little more is rendered than the screen shows');

    await tree.getByRole('treeitem', { name: 'Leaf 0', exact: true }).click();
    await page.keyboard.press('ArrowRight');
    await tree.getByRole('treeitem', { name: 'Leaf 2000', exact: true }).waitFor();
    assert.equal(requests.length, 2);
    // A few batches further down by keyboard: each is requested once, when it is reached.
    const toTheEnd = async () => {
      await page.keyboard.press('End');
      return requests.length;
    };
    await eventually(t, toTheEnd, (count) => count >= 5);
    assert.equal(new Set(requests).size, requests.length, 'no batch is requested twice');
    // A batch that fails is requested again.
    await page.route(/after=[1-9]/, (route) => route.abort(), { times: 1 });
    const before = requests.length;
    await eventually(t, toTheEnd, (count) => count >= before + 3);
    const repeated = requests.findIndex((path, index) => requests.indexOf(path) < index);
    assert.ok(repeated > 0);
    requests.splice(repeated, 1);
    assert.ok((await shown()) < 80);
    // After a change, all loaded batches are requested again in one request.
    await page.keyboard.press('F2');
    await page.getByLabel(/^New name for/).fill('The last');
    await page.keyboard.press('Enter');
    await toast(page, 'Renamed').waitFor();
    const begins = '/admin/pages?parent=0&after=0&limit=';
    const parts = async () =>
      requests.filter((path) => path.startsWith(begins)).map((path) => path.slice(begins.length));
    const [, again] = await eventually(t, parts, (limits) => limits.length === 2);
    assert.ok(Number(again) >= 600, `only ${again} pages in one request`);

    const searchStarted = performance.now();
    await page.getByRole('searchbox', { name: 'Search pages' }).pressSequentially('leaf 9999');
    await page.getByRole('link', { name: 'Leaf 9999' }).waitFor();
    const searched = performance.now() - searchStarted;
    const searches = requests.filter((path) => path.includes('search?q='));
    assert.ok(searches.length <= 'leaf 9999'.length);
    assert.ok((await page.getByRole('main').getByRole('link').count()) < 60);
    await checkAccessible(page, 'search among many');
    await page.getByRole('link', { name: 'Leaf 9999' }).click();
    await page.getByRole('heading', { name: 'Edit page' }).waitFor();
    const further = requests.filter((path) => /after=[1-9]/.test(path));
    assert.equal(new Set(further).size, further.length, 'no single batch is requested twice');
    t.diagnostic(`opened in ${opened.toFixed(0)} ms, found in ${searched.toFixed(0)} ms with the typing`);
  };
}
