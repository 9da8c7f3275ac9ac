import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import type { PageJson } from '../src/http/admin/contract.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  checkAccessible,
  newCustomerPage,
  newPage,
  publish,
  signedInPage,
  signIn,
  signInVia,
  type TestApp,
  toast,
  typeText,
} from './test-app.ts';

const OFFER = 'You wrote something else on this device';
const ELSEWHERE = 'Another draft was saved from another device or tab';
const USE = 'Use what was typed on this device';

/** What was written and could not be saved is there again, or offered, whatever has happened meanwhile. */
export function keptDrafts(app: TestApp) {
  return async (t: TestContext) => {
    const { page: first, context } = await signedInPage(t, app);
    const pages = new URL('/pages', first.url()).href;

    /** A page with a draft that is saved, and more that is not when its tab is closed; without a connection from then on. */
    const writeAndLoseConnection = async (name: string): Promise<string> => {
      const page = await context.newPage();
      await page.goto(pages);
      await newPage(page, name);
      await typeText(page, 'At the station.');
      await page.getByText('Draft saved').waitFor();
      await context.setOffline(true);
      await typeText(page, ' In a tunnel.');
      await page.getByText('kept on this device').waitFor();
      const address = page.url();
      // What a closing tab sends, the browser sends after it is gone, and nothing holds that offline any more.
      await page.evaluate(`window.fetch = () => Promise.reject(new TypeError('Failed to fetch'))`);
      await page.close();
      return address;
    };

    await t.test('where the clock of the device is behind', async () => {
      await context.clock.setFixedTime(Date.now() - 3_600_000);
      const page = await openAgain(context, await writeAndLoseConnection('Late'));
      await page.getByText('This is what you wrote last on this device').waitFor();
      await textIs(page, 'In a tunnel.');
      // It is the service's by now.
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'In a tunnel.');
      await page.close();
    });

    await t.test('where another device has saved a draft since', async () => {
      const address = await writeAndLoseConnection('Two devices');
      await context.setOffline(false);
      await saveElsewhere(t, first, address, 'On the telephone.');
      const page = await openAgain(context, address);
      await textIs(page, 'On the telephone.');
      const offer = page.getByRole('alert').filter({ hasText: OFFER });
      await offer.waitFor();
      await checkAccessible(page, 'an offered copy');

      // It stays where it is while something else is written.
      await typeText(page, 'And there.');
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'And there.');
      await offer.getByRole('button', { name: 'Discard it' }).click();
      await offer.waitFor({ state: 'detached' });
      await toast(page, 'is discarded').getByRole('button', { name: 'Undo' }).click();
      await page.reload();

      const take = offer.getByRole('button', { name: USE });
      await take.click();
      await textIs(page, 'In a tunnel.');
      await offer.waitFor({ state: 'detached' });
      await toast(page, 'is in the editor now').getByRole('button', { name: 'Undo' }).click();
      await textIs(page, 'And there.');
      await take.click();
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'In a tunnel.');
      assert.equal(await offer.count(), 0);
      await page.close();
    });

    await t.test('and where the device has no room for it, one is told so and asked before it is lost', async () => {
      const page = await context.newPage();
      await page.goto(pages);
      await newPage(page, 'No room');
      await fillStorage(page);
      await context.setOffline(true);
      await typeText(page, 'Nowhere else.');
      await page.getByText('Not saved. Keep this tab open.').waitFor();
      let questions = 0;
      page.on('dialog', (dialog) => {
        if (dialog.type() === 'beforeunload') questions += 1;
        void dialog.dismiss();
      });
      const asked = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      await asked;
      await context.setOffline(false);
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'Nowhere else.');
      assert.equal(questions, 1);
    });
  };
}

/** One person at two devices, and in two tabs of one: each has what it has written, and says which of both is to stay. */
export function twoDevices(app: TestApp) {
  return async (t: TestContext) => {
    const { page: desk, context, address } = await signedInPage(t, app);
    await newPage(desk, 'Menu');
    await typeText(desk, 'Bread.');
    await saved(desk);
    const telephone = await (await app.browser.newContext({ reducedMotion: 'reduce' })).newPage();
    t.after(() => telephone.context().close());
    await signInVia(telephone, address, new URL(desk.url()).pathname);
    await textIs(telephone, 'Bread.');
    const elsewhere = (page: Page) => page.getByRole('alert').filter({ hasText: ELSEWHERE });
    const here = (page: Page) => page.getByRole('alert').filter({ hasText: OFFER });
    const stored = async () => JSON.stringify(await draftOf(desk));

    await t.test('nothing is written over what the other has saved', async () => {
      await typeText(telephone, 'Soup.');
      await saved(telephone);
      await typeText(desk, 'Cake.');
      await elsewhere(desk).waitFor();
      await textIs(desk, 'Cake.');
      await desk.getByText('Not saved: kept on this device until you choose.').waitFor();
      await checkAccessible(desk, 'an offered draft of another device');
      await typeText(desk, 'Tea.');
      await desk.keyboard.press('Control+s');
      await desk.reload();
      // What is on the device is there, and beside the draft of the other one.
      await textIs(desk, 'Soup.');
      await here(desk).waitFor();
      assert.doesNotMatch(await stored(), /Cake|Tea/);
      await here(desk).getByRole('button', { name: USE }).click();
      await textIs(desk, 'Tea.');
      await saved(desk);
      assert.match(await stored(), /Cake.*Tea/);
    });

    await t.test('the draft of the other one is taken, and that undone', async () => {
      await typeText(telephone, 'Fish.');
      await elsewhere(telephone).getByRole('button', { name: 'Use that draft' }).click();
      await textIs(telephone, 'Tea.');
      await elsewhere(telephone).waitFor({ state: 'detached' });
      await saved(telephone);
      await toast(telephone, 'is in the editor now').getByRole('button', { name: 'Undo' }).click();
      await textIs(telephone, 'Fish.');
      await here(telephone).waitFor();
      await saved(telephone);
      assert.match(await stored(), /Soup.*Fish/);
      await here(telephone).getByRole('button', { name: 'Discard it' }).click();
    });

    await t.test('or discarded, and that undone', async () => {
      await typeText(desk, 'Salad.');
      await elsewhere(desk).getByRole('button', { name: 'Discard it' }).click();
      await elsewhere(desk).waitFor({ state: 'detached' });
      await saved(desk);
      assert.match(await stored(), /Tea.*Salad/);
      await toast(desk, 'is discarded').getByRole('button', { name: 'Undo' }).click();
      await here(desk).getByRole('button', { name: USE }).click();
      await textIs(desk, 'Fish.');
      await saved(desk);
      assert.match(await stored(), /Soup.*Fish/);
    });

    await t.test('nor is it discarded by who has not seen it', async () => {
      await typeText(telephone, 'Eggs.');
      await elsewhere(telephone).getByRole('button', { name: 'Discard it' }).click();
      await saved(telephone);
      await desk.getByRole('button', { name: 'Discard the draft' }).click();
      await elsewhere(desk).waitFor();
      await textIs(desk, 'Fish.');
      assert.match(await stored(), /Eggs/);
      await elsewhere(desk).getByRole('button', { name: 'Use that draft' }).click();
      await textIs(desk, 'Eggs.');
      await saved(desk);
    });

    await t.test('two tabs are two devices, and each has its own copy', async () => {
      const tab = await context.newPage();
      await tab.goto(desk.url());
      await textIs(tab, 'Eggs.');
      await typeText(tab, 'Jam.');
      await saved(tab);
      // By keyboard: what tells of the draft before lies over the text, for as long as it can be undone there.
      await desk.getByRole('textbox', { name: /^Text of the page/ }).press('Control+End');
      await desk.keyboard.insertText('Milk.');
      await elsewhere(desk).waitFor();
      await context.setOffline(true);
      await typeText(tab, 'Honey.');
      await tab.getByText('kept on this device, trying again').waitFor();
      await tab.close();
      const address = desk.url();
      await desk.goto('about:blank');
      const again = await openAgain(context, address);
      await textIs(again, 'Honey.');
      await here(again).getByRole('button', { name: USE }).click();
      await textIs(again, 'Milk.');
      await saved(again);
      await again.close();
    });

    await t.test('and whoever publishes leaves the other draft where it is', async () => {
      await desk.goto(telephone.url());
      await textIs(desk, 'Milk.');
      await telephone.reload();
      await typeText(telephone, 'Beans.');
      await saved(telephone);
      await publish(desk);
      await elsewhere(desk).waitFor();
      assert.match(await stored(), /Beans/);
      await elsewhere(desk).getByRole('button', { name: 'Discard it' }).click();
      await elsewhere(desk).waitFor({ state: 'detached' });
      await eventually(
        t,
        () => draftOf(desk),
        (draft) => draft === null,
      );
    });
  };
}

/** In the tree, before it has been asked for anew: nothing changes under the eyes of whoever comes to it. */
export function draftsInTree(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const row = (name: string) => page.getByRole('treeitem').filter({ hasText: name });
    const badge = page.getByRole('tree').getByText('Draft', { exact: true });
    /** Goes there, and asks that of what is shown before the service answers. */
    const inTree = async (look: () => Promise<unknown>) => {
      const free = Promise.withResolvers<void>();
      await page.route('**/admin/pages?*', async (route) => {
        await free.promise;
        await route.continue();
      });
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
      await page.getByRole('tree').waitFor();
      await look();
      free.resolve();
      await page.unrouteAll({ behavior: 'wait' });
      await look();
    };
    const open = async (name: string) => {
      await row(name).dblclick();
      await page.getByRole('textbox', { name: /^Text of the page/ }).waitFor();
    };

    await t.test('a page that one writes on has a draft', async () => {
      await open('About');
      await typeText(page, 'Soup. ');
      await saved(page);
      await inTree(() => row('About').and(page.locator(':has-text("Draft")')).waitFor());
    });

    await t.test('and none once that is undone', async () => {
      await open('About');
      await page.getByRole('button', { name: 'Discard the draft' }).waitFor();
      await textIs(page, 'Soup.');
      await page.getByLabel('Name of the page').fill('About us');
      await saved(page);
      await page.getByLabel('Name of the page').fill('About');
      await page.getByRole('button', { name: 'Discard the draft' }).click();
      await toast(page, 'The draft is discarded').waitFor();
      await inTree(() => badge.waitFor({ state: 'detached' }));
      assert.equal(await row('About').count(), 1);
    });

    await t.test('one that is published is as it was published', async () => {
      await open('About');
      await page.getByLabel('Name of the page').fill('Find us');
      await publish(page);
      await inTree(() => row('Find us').waitFor());
      assert.equal(await badge.count(), 0);
      await toast(page, 'Published').getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'Undone').waitFor();
      await row('About').waitFor();
    });

    await t.test('a draft that says what is published is none any more once it is opened', async () => {
      const id = await row('About').getAttribute('data-page');
      const { name, version } = await page.evaluate<PageJson>(
        `fetch('/admin/pages/${id}').then((answer) => answer.json())`,
      );
      await callAdmin(page, 'PUT', `pages/${id}/draft`, { fields: { name }, basedOn: version, draftAt: null });
      await page.reload();
      await badge.waitFor();
      await open('About');
      await eventually(
        t,
        () => draftOf(page),
        (draft) => draft === null,
      );
      await page.getByText('Published', { exact: true }).waitFor();
      await inTree(() => badge.waitFor({ state: 'detached' }));
    });
  };
}

/** Whoever leaves an editor while saving fails, and comes back to it. */
export function formerEditors(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context } = await newCustomerPage(t, app);
    await context.clock.install();
    await signIn(page);
    const toPages = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
    const leaveAndComeBack = async () => {
      await toPages();
      await page.getByRole('tree').waitFor();
      await page.goBack();
    };
    const failToSave = () => page.route('**/admin/pages/*/draft', (route) => route.abort());

    await t.test('goes on where they were, and what was left there is not sent once more', async () => {
      await newPage(page, 'Former');
      await failToSave();
      await typeText(page, 'Before.');
      await page.getByText('kept on this device, trying again').waitFor();
      await leaveAndComeBack();
      await textIs(page, 'Before.');
      await page.unroute('**/admin/pages/*/draft');
      await typeText(page, 'After.');
      await saved(page);
      // By now the former editor would have tried again.
      await context.clock.fastForward(6000);
      await typeText(page, 'At last.');
      await saved(page);
      await page.reload();
      await textIs(page, 'At last.');
      assert.equal(await page.getByRole('alert').filter({ hasText: OFFER }).count(), 0);
    });

    await t.test('also where the device has no room for it', async () => {
      await toPages();
      await newPage(page, 'Nowhere');
      await fillStorage(page);
      await failToSave();
      await typeText(page, 'In this tab alone.');
      await page.getByText('Not saved. Keep this tab open.').waitFor();
      await leaveAndComeBack();
      await textIs(page, 'In this tab alone.');
      await page.getByText('Not saved. Keep this tab open.').waitFor();
      await page.unroute('**/admin/pages/*/draft');
      await typeText(page, 'And more.');
      await saved(page);
      // Nobody is asked: all of it is saved.
      await page.reload();
      await textIs(page, 'And more.');
    });
  };
}

/** What is done while the service has not answered yet: each thing waits for the one before. */
export function slowService(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context, visit } = await newCustomerPage(t, app);
    await context.clock.install();
    await signIn(page);
    const text = page.getByRole('textbox', { name: /^Text of the page/ });
    const goOn = async (more: string) => {
      await text.press('Control+End');
      await page.keyboard.insertText(more);
      await textIs(page, more.trim());
    };
    /** Keeps what is sent so back. Returns what waits for that, and what lets it go. */
    const keepBack = async (method: string) => {
      const [come, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route('**/admin/pages/**', async (route) => {
        if (route.request().method() !== method) return route.fallback();
        come.resolve();
        await free.promise;
        await route.fallback();
      });
      return { come: come.promise, letGo: free.resolve };
    };
    /** By now what has been written would be sent, and be there. */
    const later = async () => {
      await context.clock.fastForward(2000);
      for (let count = 0; count < 5; count += 1) await draftOf(page);
    };

    await t.test('what is written after the key for publishing is not published, but a draft', async () => {
      await newPage(page, 'Slow');
      const saving = await keepBack('PUT');
      await typeText(page, 'Soup');
      await saving.come;
      await goOn(' and bread');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Publishing…').waitFor();
      await goOn(', and half a');
      await later();
      saving.letGo();
      await toast(page, 'Published').waitFor();
      await saved(page);
      const html = await visit('/slow');
      assert.match(html, /Soup and bread/);
      assert.doesNotMatch(html, /half a/);
      assert.match(JSON.stringify(await draftOf(page)), /half a/);
      await page.unrouteAll();
      await publish(page);
      assert.equal(await draftOf(page), null, 'nothing is left of what is published');
    });

    await t.test('what is written after a draft is discarded is saved when that is gone', async () => {
      const saving = await keepBack('PUT');
      await goOn(' Old.');
      await saving.come;
      const discarding = await keepBack('DELETE');
      await page.getByRole('button', { name: 'Discard the draft' }).click();
      await text.getByText('Old.').waitFor({ state: 'detached' });
      saving.letGo();
      await discarding.come;
      await goOn(' New.');
      await later();
      discarding.letGo();
      await toast(page, 'The draft is discarded').waitFor();
      await saved(page);
      await page.unrouteAll();
      const draft = JSON.stringify(await draftOf(page));
      assert.match(draft, /New/);
      assert.doesNotMatch(draft, /Old/);
    });

    await t.test('undoing that takes nothing away that was written since', async () => {
      await toast(page, 'The draft is discarded').getByRole('button', { name: 'Undo' }).click();
      await textIs(page, 'Old.');
      await page.getByRole('alert').filter({ hasText: OFFER }).getByRole('button', { name: USE }).click();
      await textIs(page, 'New.');
      await saved(page);
    });

    await t.test('and is for the editor that is open by then', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
      await page.getByRole('tree').waitFor();
      await page.goBack();
      await textIs(page, 'New.');
      await toast(page, 'is in the editor now').getByRole('button', { name: 'Undo' }).click();
      await textIs(page, 'Old.');
      await saved(page);
      assert.match(JSON.stringify(await draftOf(page)), /Old/);
      assert.equal(await page.getByRole('alert').filter({ hasText: ELSEWHERE }).count(), 0);
      await page.getByRole('alert').filter({ hasText: OFFER }).waitFor();
    });
  };
}

/** Forms that are closed before they are saved. Nothing secret is kept. */
export function unsavedForms(app: TestApp) {
  return async (t: TestContext) => {
    const { page: first, context, address } = await newCustomerPage(t, app);
    const { origin } = new URL(address);
    await signIn(first);
    let page = first;
    const closeAndOpen = async (section: string) => {
      await page.close();
      page = await openAgain(context, `${origin}/settings/${section}`);
    };
    const notice = () => page.getByRole('alert').filter({ hasText: 'did not save it' });
    const field = () => page.getByLabel('Name of the site');
    const isIn = (text: string) =>
      field()
        .and(page.locator(`[value="${text}"]`))
        .waitFor();
    const stored = () => page.evaluate<string>('JSON.stringify(localStorage)');

    await t.test('what was typed is there again, and is not saved', async () => {
      await page.goto(`${origin}/settings/site`);
      const before = 'Acme Bakery';
      await isIn(before);
      await field().fill('Bakehouse');
      await closeAndOpen('site');
      await notice().waitFor();
      await isIn('Bakehouse');
      await checkAccessible(page, 'a form with what was not saved');
      await page.getByRole('banner').getByText(before).waitFor();
      await notice().getByRole('button', { name: 'Discard these changes' }).click();
      await isIn(before);
      assert.doesNotMatch(await stored(), /Bakehouse/);
      await toast(page, 'are discarded').getByRole('button', { name: 'Undo' }).click();
      await isIn('Bakehouse');
    });

    await t.test('also where saving was refused', async () => {
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
      await closeAndOpen('site');
      await notice().waitFor();
      await isIn('Bakehouse');
    });

    await t.test('nobody else sees it', async () => {
      const other = await newCustomerPage(t, app);
      await signIn(other.page);
      const own = await context.cookies();
      await context.addCookies(await other.page.context().cookies());
      await page.goto(`${origin}/settings/site`);
      await isIn('Acme Bakery');
      assert.equal(await notice().count(), 0);
      await context.addCookies(own);
    });

    await t.test('once it is saved, it is in the account alone', async () => {
      await page.goto(`${origin}/settings/site`);
      await isIn('Bakehouse');
      await page.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Saved').waitFor();
      await notice().waitFor({ state: 'detached' });
      assert.doesNotMatch(await stored(), /freehold:form/);
      await page.reload();
      await isIn('Bakehouse');
      assert.equal(await notice().count(), 0);
    });

    await t.test('the look, and what one is called; no password', async () => {
      await page.goto(`${origin}/settings/look`);
      await page.getByText('Portfolio', { exact: true }).click();
      await closeAndOpen('look');
      await notice().waitFor();
      await page.getByRole('radio', { name: 'Portfolio' }).and(page.locator(':checked')).waitFor();
      await page.goto(`${origin}/settings/you`);
      await page.getByLabel('Your name').fill('Ann Other');
      await page.getByLabel('New e-mail address').fill('other@example.com');
      await page.getByLabel('Current password').first().fill('a secret of hers');
      assert.doesNotMatch(await stored(), /secret of hers/);
      await closeAndOpen('you');
      await page.getByLabel('Your name').and(page.locator('[value="Ann Other"]')).waitFor();
      await page.getByLabel('New e-mail address').and(page.locator('[value="other@example.com"]')).waitFor();
      assert.equal(await notice().count(), 2);
    });
  };
}

/** Where the browser lets no page keep anything. */
export function blockedStorage(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context, address } = await newCustomerPage(t, app);
    await context.addInitScript(`Object.defineProperty(window, 'localStorage', {
      get() { throw new DOMException('It is blocked.', 'SecurityError'); },
    })`);
    await page.goto(address);
    await signIn(page);
    await newPage(page, 'Blocked');
    await typeText(page, 'With the service.');
    await saved(page);
    await context.setOffline(true);
    await typeText(page, 'In this tab alone.');
    await page.getByText('Not saved. Keep this tab open.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await toast(page, 'cannot be reached').waitFor();
    assert.equal(await page.getByText('kept on this device').count(), 0);
    await context.setOffline(false);
    await saved(page);
    await page.reload();
    await textIs(page, 'In this tab alone.');
  };
}

/** What the app kept before it told which draft it goes on from. */
export function oldCopies(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await newPage(page, 'Old');
    const address = page.url();
    const id = address.split('/').at(-1);
    const user = await page.evaluate<number>(
      `fetch('/admin/session').then((answer) => answer.json()).then(({ user }) => user.id)`,
    );
    const { version } = await page.evaluate<PageJson>(`fetch('/admin/pages/${id}').then((answer) => answer.json())`);
    const leave = async (text: string) => {
      const copy = {
        fields: { body: `<p>${text}</p>`, bodyFormat: 'wysiwyg_format' },
        basedOn: version,
        at: Date.now(),
      };
      await page.evaluate(`localStorage.setItem('freehold:draft:${user}:${id}', '${JSON.stringify(copy)}')`);
      await page.reload();
    };
    await leave('Long ago.');
    await page.getByText('This is what you wrote last on this device').waitFor();
    await textIs(page, 'Long ago.');
    await saved(page);
    // Nobody knows whether it is older than the draft that is there by now.
    await leave('Even longer ago.');
    await textIs(page, 'Long ago.');
    await page.getByRole('alert').filter({ hasText: OFFER }).getByRole('button', { name: USE }).click();
    await textIs(page, 'Even longer ago.');
    await saved(page);
    await page.reload();
    await textIs(page, 'Even longer ago.');
  };
}

async function openAgain(context: BrowserContext, address: string): Promise<Page> {
  await context.setOffline(false);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** As another device does, which knows nothing of this one. */
async function saveElsewhere(t: TestContext, page: Page, address: string, text: string): Promise<void> {
  const path = `pages/${address.split('/').at(-1)}`;
  const fields = { body: `<p>${text}</p>` };
  const save = async () => {
    const { version, draft } = await page.evaluate<PageJson>(`fetch('/admin/${path}').then((answer) => answer.json())`);
    return callAdmin(page, 'PUT', `${path}/draft`, { fields, basedOn: version, draftAt: draft?.updatedAt ?? null });
  };
  // What a tab sends while it closes may come in between.
  await eventually(t, save, (answer) => 'updatedAt' in answer);
}

async function draftOf(page: Page): Promise<PageJson['draft']> {
  const path = `/admin${new URL(page.url()).pathname}`;
  return page.evaluate<PageJson['draft']>(
    `fetch('${path}').then((answer) => answer.json()).then(({ draft }) => draft)`,
  );
}

function saved(page: Page): Promise<void> {
  return page.getByText('Draft saved').waitFor();
}

/** To the last byte. */
async function fillStorage(page: Page): Promise<void> {
  await page.evaluate(`for (let size = 2 ** 23; size >= 1; size /= 2) {
    try { while (true) localStorage.setItem('full:' + Math.random(), 'x'.repeat(size)); } catch {}
  }`);
}

async function textIs(page: Page, text: string): Promise<void> {
  await page
    .getByRole('textbox', { name: /^Text of the page/ })
    .getByText(text)
    .waitFor();
}
