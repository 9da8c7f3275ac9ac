import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { buildAdminApp } from '../admin/build.ts';
import { launchBrowser } from '../test/browser.ts';
import { type StartedApp, startAdminApp } from './admin-app.ts';

/*
 * Edits pages at random in the visual editor, in HTML and in Markdown: types, formats, pastes, undoes, reloads, goes offline and
 * writes in two tabs. After each part, every tab and the service must have the written text, and the page must open in the
 * editor in which it was written. Otherwise prints the last steps and exits with 1.
 */

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
});
const steps = Number(values.steps);
const seed = Number(values.seed);

/** The number of steps between two checks. */
const PART = 20;

/** How long to wait for an expected event. */
const TIMEOUT_MS = 20_000;

const inTab = `globalThis.editing = {
  code: () => { const content = document.querySelector('.cm-content'); return content && (content.cmTile?.view ?? content.cmView?.view); },
  visual: () => document.querySelector('.tiptap')?.editor,
  focus: () => (editing.code() ?? editing.visual().view).focus(),
  kind: () => editing.code() ? document.querySelector('.cm-content').getAttribute('aria-label') : editing.visual() ? 'visual' : undefined,
  text: () => {
    const code = editing.code();
    if (code) return code.state.doc.toString();
    const { doc } = editing.visual().state;
    const shown = [];
    doc.descendants((node) => {
      if (!node.isBlock) return false;
      shown.push(node.type.name === 'htmlBlock' ? node.attrs.html : node.type.name);
      if (!node.isTextblock) return true;
      const text = node.textBetween(0, node.content.size, '', ({ type }) => '<' + type.name + '>');
      // White space at the ends of lines is visible only in code.
      shown.push(node.type.spec.code ? text : text.replace(/[ \\t\\n]+/g, ' ').replace(/ ?<hardBreak> ?/g, '<br>').trim());
      return false;
    });
    return shown.join('\\n');
  },
  select: (one, two) => {
    const code = editing.code();
    if (code) {
      const { length } = code.state.doc;
      code.dispatch({ selection: { anchor: one % (length + 1), head: two % (length + 1) } });
      return code.focus();
    }
    const editor = editing.visual();
    const { doc, selection, tr } = editor.state;
    const near = (place) => selection.constructor.near(doc.resolve(place % (doc.content.size + 1)));
    const [from, to] = [near(one), near(two)].sort((some, other) => some.from - other.from);
    editor.view.dispatch(tr.setSelection(from));
    if (from.$from.parent.inlineContent && to.$to.parent.inlineContent) editor.commands.setTextSelection({ from: from.from, to: to.to });
    editor.view.focus();
  },
  press: (label) => {
    const buttons = [...document.querySelectorAll('main [role=toolbar] button:not(:disabled)')];
    buttons.find((button) => button.getAttribute('aria-label') === label)?.click();
  },
  paste: (html, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', html);
    clipboardData.setData('text/plain', text);
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  },
  status: () => document.querySelector('[class*=draftRow] [role=status]')?.textContent,
}`;

const tools = [
  ...['Bold', 'Italic', 'Strikethrough', 'Code', 'Heading', 'Smaller heading', 'List', 'Numbered list', 'Task list'],
  ...['Quotation', 'Code block', 'Table', 'Line', 'Undo', 'Redo', 'Add a row below', 'Add a column after'],
  ...['Delete the row', 'Delete the column', 'Delete the table'],
];
const keys = [
  ...['Enter', 'Enter', 'Backspace', 'Backspace', 'Delete', 'Tab', 'Shift+Tab', 'Shift+Enter', 'Home', 'End'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+End'],
  ...['Control+b', 'Control+i', 'Control+e', 'Control+z', 'Control+z', 'Control+Shift+z', 'Control+Backspace'],
];
const pasted = [
  ['<p>One <b>bold </b></p><p>two</p>', 'One bold two'],
  ['<ul><li>a<ul><li>b</li></ul></li></ul>', '- a\n  - b'],
  ['<table><tr><th>a</th><td>b</td></tr></table>', 'a b'],
  ['<blockquote>quote</blockquote><hr><pre>  code</pre>', '> quote\n\n---\n'],
  ['<div><p>in <span>a box</span></p><small>small </small></div>', '<div>in a box</div>'],
  ['', 'plain\ntext with <signs> & *stars*'],
] as const;

/** Returns a function that draws reproducible random numbers below `end`. */
function randomFrom(start: number): (end: number) => number {
  let state = start;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

/** Waits until the expression is true in the page. */
async function until(page: Page, expression: string): Promise<void> {
  const isTrue = await page.evaluate(`(async () => {
    for (const end = Date.now() + ${TIMEOUT_MS}; Date.now() < end; await new Promise((done) => setTimeout(done, 20))) {
      if (${expression}) return true;
    }
    return false;
  })()`);
  assert.ok(isTrue, `${expression} does not become true: ${await page.evaluate('editing.status()')}`);
}

/** A page that is edited in one or two tabs. */
class Session {
  readonly #app: StartedApp;
  readonly #context: BrowserContext;
  readonly #random: (end: number) => number;
  readonly #kind: string;
  readonly #address: string;
  readonly log: string[] = [];
  #tabs: Page[] = [];
  #isOffline = false;
  #words = 0;

  constructor(app: StartedApp, context: BrowserContext, random: (end: number) => number, kind: string, id: number) {
    this.#app = app;
    this.#context = context;
    this.#random = random;
    this.#kind = kind;
    this.#address = `${app.url}/pages/${id}`;
  }

  get #page(): Page {
    return this.#tabs[0]!;
  }

  async begin(): Promise<void> {
    this.#tabs = [await this.#open()];
  }

  async #open(): Promise<Page> {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('pageerror', ({ message }) => this.log.push(`ERROR ${message}`));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(this.#address);
    await this.#ready(page);
    return page;
  }

  async #ready(page: Page): Promise<void> {
    await page.evaluate(inTab);
    await until(page, 'editing.kind() !== undefined');
    const isVisual = await page.evaluate(`editing.kind() === 'visual'`);
    if (isVisual && this.#kind !== 'visual') await page.getByRole('button', { name: 'Show the HTML' }).click();
    await until(page, `editing.kind() === '${this.#kind}'`);
    await page.evaluate('editing.focus()');
  }

  #textOf(page: Page): Promise<string> {
    return page.evaluate<string>('editing.text()');
  }

  /** Does one random step. */
  async step(): Promise<void> {
    const random = this.#random;
    const page = this.#page;
    const what = random(100);
    const note = (text: string) => this.log.push(text);
    if (what < 30) {
      const word = ['w', this.#words++, ['', ' ', ' ', '. ', '\n', '**', '- '][random(7)]].join('');
      note(`type ${JSON.stringify(word)}`);
      await page.keyboard.type(word);
    } else if (what < 58) {
      const key = keys[random(keys.length)]!;
      note(`press ${key}`);
      await page.keyboard.press(key);
      if (key.endsWith('Tab')) await page.evaluate('editing.focus()');
    } else if (what < 70) {
      const [one, two] = [random(5000), random(5000)];
      const isRange = random(2) === 0;
      note(`select ${one} ${isRange ? two : one}`);
      await page.evaluate(`editing.select(${one}, ${isRange ? two : one})`);
    } else if (what < 82) {
      const label = tools[random(tools.length)]!;
      note(`tool ${label}`);
      await page.evaluate(`editing.press('${label}')`);
    } else if (what < 87) {
      const [html, text] = pasted[random(pasted.length)]!;
      note(`paste ${html || text}`);
      await page.evaluate(`editing.paste(${JSON.stringify(html)}, ${JSON.stringify(text)})`);
    } else if (what < 89) {
      note('Ctrl+S');
      await page.keyboard.press('Control+s');
    } else if (what < 91) await this.#name();
    else if (what < 93) await this.#reload();
    else if (what < 95) await this.#toggleConnection();
    else if (what < 97) await this.#changeTab();
    else if (what < 98) await this.#look();
    else await this.#publish();
  }

  async #name(): Promise<void> {
    const name = `Page ${this.#words++}`;
    this.log.push(`name ${name}`);
    await this.#page.getByLabel('Name of the page').fill(name);
    await this.#page.evaluate('editing.focus()');
  }

  /** Reloads the page, or closes the tab and opens another one. */
  async #reload(): Promise<void> {
    const before = await this.#textOf(this.#page);
    const isClosed = this.#random(2) === 0;
    this.log.push(isClosed ? 'close and open' : 'reload');
    if (isClosed) {
      await this.#page.close({ runBeforeUnload: false });
      await this.#connect();
      this.#tabs[0] = await this.#open();
    } else {
      await this.#connect();
      await this.#page.reload();
      await this.#ready(this.#page);
    }
    await this.#checkText(this.#page, before, 'after it was loaded again');
  }

  async #connect(): Promise<void> {
    this.#isOffline = false;
    await this.#context.setOffline(false);
  }

  async #toggleConnection(): Promise<void> {
    this.#isOffline = !this.#isOffline;
    this.log.push(this.#isOffline ? 'offline' : 'online');
    await this.#context.setOffline(this.#isOffline);
  }

  /** Switches to the other tab, which shows the text of this one as soon as it is saved. */
  async #changeTab(): Promise<void> {
    await this.#connect();
    this.log.push('other tab');
    await this.#saved(this.#page);
    const before = await this.#textOf(this.#page);
    if (this.#tabs.length === 1) this.#tabs.unshift(await this.#open());
    else this.#tabs.reverse();
    await this.#page.bringToFront();
    await this.#checkText(this.#page, before, 'in the other tab');
    await this.#page.evaluate('editing.focus()');
  }

  /** Opens the preview and closes it. */
  async #look(): Promise<void> {
    const before = await this.#textOf(this.#page);
    this.log.push('preview');
    for (const view of ['Preview', 'Write']) await this.#page.getByText(view, { exact: true }).click();
    await this.#checkText(this.#page, before, 'after a look at the preview');
    await this.#page.evaluate('editing.focus()');
  }

  async #publish(): Promise<void> {
    if (this.#isOffline) return;
    const before = await this.#textOf(this.#page);
    this.log.push('publish');
    await this.#page.keyboard.press('Control+Enter');
    await until(this.#page, '!/Publishing/.test(editing.status())');
    await this.#checkText(this.#page, before, 'after it was published');
  }

  async #saved(page: Page): Promise<void> {
    await until(page, '/^(?:Draft saved|Published|Not published)/.test(editing.status())');
  }

  async #checkText(page: Page, wanted: string, when: string): Promise<void> {
    await until(page, `editing.text() === ${JSON.stringify(wanted)}`).catch(async () => {
      assert.equal(await this.#textOf(page), wanted, when);
    });
  }

  /** Throws unless every tab, a new tab and the service have the written text. */
  async check(): Promise<void> {
    await this.#connect();
    this.log.push('check');
    const written = await this.#textOf(this.#page);
    await this.#saved(this.#page);
    for (const tab of this.#tabs) await this.#checkText(tab, written, 'in a tab');
    const body = await this.#bodyOfService();
    const fresh = await this.#open();
    await this.#checkText(fresh, written, 'opened anew');
    assert.equal(await fresh.evaluate('editing.kind()'), this.#kind);
    await fresh.close();
    assert.equal(await this.#bodyOfService(), body, 'opening it changes it');
    const errors = this.log.filter((line) => line.startsWith('ERROR'));
    assert.deepEqual(errors, []);
    await this.#page.bringToFront();
    await this.#page.evaluate('editing.focus()');
  }

  async #bodyOfService(): Promise<string> {
    const path = this.#address.replace('/pages/', '/admin/pages/');
    const answer = await this.#context.request.get(path, { headers: { Origin: this.#app.url } });
    const { body, draft } = (await answer.json()) as { body: string; draft: { fields: { body?: string } } | null };
    return draft?.fields.body ?? body;
  }

  async end(): Promise<void> {
    for (const tab of this.#tabs) await tab.close();
  }
}

const kinds = [
  {
    kind: 'visual',
    bodyFormat: 'wysiwyg_format',
    body: '<p>One <em>two</em></p>\n<div class="a">box</div>\n<p>End</p>\n',
  },
  { kind: 'Text of the page as HTML', bodyFormat: 'wysiwyg_format', body: '<p>One</p>\r\n<aside>two</aside>\n' },
  { kind: 'Text of the page', bodyFormat: 'markdown_format', body: '# One\r\n\r\n- two\n' },
];

await buildAdminApp();
const app = await startAdminApp();
const browser = await launchBrowser();
try {
  for (const [index, { kind, ...page }] of kinds.entries()) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    await context.addCookies([{ name: 'session', value: app.token, url: app.url }]);
    const data = { name: kind, ...page };
    const created = await context.request.post(`${app.url}/admin/pages`, { headers: { Origin: app.url }, data });
    const { id } = (await created.json()) as { id: number };
    const session = new Session(app, context, randomFrom(seed * 31 + index), kind, id);
    try {
      await session.begin();
      for (let step = 1; step <= Math.ceil(steps / kinds.length); step++) {
        await session.step();
        if (step % PART === 0) await session.check();
      }
      await session.check();
      await session.end();
      console.log(`${kind}: ${Math.ceil(steps / kinds.length)} steps, seed ${seed}: nothing is lost`);
    } catch (error) {
      console.log(`${kind}, seed ${seed}:`, (error as Error).message);
      console.log(`  The last of ${session.log.length} steps: ${session.log.slice(-60).join(' | ')}`);
      process.exitCode = 1;
    }
    await context.close();
  }
} finally {
  await browser.close();
  await app.stop();
}
