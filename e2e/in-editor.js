/*
 * Functions that the tests of the editors run inside the admin app. This script runs before the app.
 */

const find = (selector) => document.querySelector(selector);
const publishButton = () =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === 'Publish');

/** Waits for the condition during a number of turns of the event loop, instead of a time, so that pending work can finish. */
async function waitForTurns(condition, maxTurns) {
  for (let turn = 0; turn < maxTurns; turn++) {
    const found = condition();
    if (found) return found;
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(0);
    });
  }
  return undefined;
}

/** Waits for a condition that depends on a response of the service, however long that takes. */
async function until(condition) {
  for (;;) {
    const found = await waitForTurns(condition, 2);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
}

/**
 * Opens each page in the app as a click on a link would, types something into it, and undoes that. If `rename` is set, also
 * publishes the page with another name. Returns which editors opened the pages, and which pages had problems.
 */
globalThis.openAndSave = async (pages, rename) => {
  const editors = {};
  const problems = [];
  for (const { id, name } of pages) {
    history.pushState(null, '', `/pages/${id}`);
    const title = () => find('[aria-label="Name of the page"]');
    const text = await until(() => title()?.value === name && find('[role=textbox][aria-label^="Text of the page"]'));
    const label = text.getAttribute('aria-label') + (text.className.includes('cm-') ? ', as text' : '');
    editors[label] = (editors[label] ?? 0) + 1;
    const isChanged = () => !publishButton().disabled;
    const problem = (what) => problems.push(`${name}: ${what}`);
    if (isChanged()) problem('opening it is a change');
    text.focus();
    const before = text.innerHTML;
    document.execCommand('insertText', false, 'x');
    // The editor accepts or reverts the browser's change. If it cannot be written there, a new line can.
    if (!(await waitForTurns(() => isChanged() || text.innerHTML === before, 2000)) || !isChanged())
      press(text, 'Enter');
    if (!(await waitForTurns(isChanged, 2000))) problem('nothing could be written');
    press(text, 'z', { ctrlKey: true });
    if (!(await waitForTurns(() => !isChanged(), 2000))) problem('not as it was');
    if (!rename) continue;
    setValue(title(), `${name}!`);
    await until(isChanged);
    publishButton().click();
    await until(() => !isChanged() && !find('main').textContent.includes('Publishing…'));
  }
  history.pushState(null, '', '/pages');
  await until(() => find('[role=tree]'));
  return { editors, problems };
};

function press(element, key, options = {}) {
  const code = key.length === 1 ? `Key${key.toUpperCase()}` : key;
  const keyCode = key === 'Enter' ? 13 : key.toUpperCase().charCodeAt(0);
  const event = new KeyboardEvent('keydown', { key, code, keyCode, bubbles: true, cancelable: true, ...options });
  element.dispatchEvent(event);
}

/** Sets the value of an input so that React takes it for typed. */
function setValue(input, value) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value').set.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Pastes at the cursor what another program has put on the clipboard. */
globalThis.paste = (html, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/html', html);
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
};

/**
 * Opens a page, and types a letter in each turn of the event loop from the moment that the editor exists. Returns the text
 * after typing, and after undoing it.
 */
globalThis.writeFromTheStart = async (id) => {
  beSlow();
  const place = () => find('[role=textbox][aria-label^="Text of the page"]');
  const opened = new Promise((resolve) => {
    new MutationObserver((_changes, observer) => {
      if (!place()) return;
      observer.disconnect();
      resolve();
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  history.pushState(null, '', `/pages/${id}`);
  await opened;
  place().focus();
  for (const letter of 'letters') {
    document.execCommand('insertText', false, letter);
    await waitForTurns(() => false, 1);
  }
  await until(() => !publishButton().disabled);
  const written = place().textContent;
  for (let undone = 0; undone < 'letters'.length; undone++) press(place(), 'z', { ctrlKey: true });
  await waitForTurns(() => publishButton().disabled, 2000);
  return { written, undone: place().textContent };
};

/** Imitates a slow machine: code that yields to the browser after some milliseconds always yields. */
function beSlow() {
  const now = performance.now.bind(performance);
  let later = 0;
  performance.now = () => {
    later += 6;
    return now() + later;
  };
}
