// The page works without this script. It adds copy buttons, and switches the language of all examples at once.

const KEPT = 'docs-language';

for (const block of document.querySelectorAll('.code[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${block.dataset.copy}`);
  button.addEventListener('click', () => copy(button, block.querySelector('code').textContent));
  block.append(button);
}

const status = document.createElement('p');
status.className = 'unseen';
status.setAttribute('role', 'status');
document.body.append(status);

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Over plain HTTP there is no clipboard API: select the text, so that Ctrl+C copies it.
    getSelection().selectAllChildren(button.parentElement.querySelector('code'));
    button.textContent = 'Press Ctrl+C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 4000);
    return;
  }
  button.textContent = 'Copied';
  status.textContent = 'Copied to the clipboard';
  setTimeout(() => {
    button.textContent = 'Copy';
    status.textContent = '';
  }, 2000);
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.languages input')) return;
  // The examples above may change in height: keep the clicked one in place.
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(KEPT, target.value);
  } catch {}
});

function choose(language) {
  for (const input of document.querySelectorAll('.languages input')) input.checked = input.value === language;
}

try {
  const kept = localStorage.getItem(KEPT);
  if (document.querySelector(`.languages input[value="${CSS.escape(kept)}"]`)) choose(kept);
} catch {}

// Mark the current section in the list of contents.
const links = new Map([...document.querySelectorAll('nav a[href^="#"]')].map((link) => [link.hash.slice(1), link]));
const sections = [...document.querySelectorAll('main section[id]')].filter(({ id }) => links.has(id));

function mark() {
  const current = sections.findLast((section) => section.getBoundingClientRect().top < 120) ?? sections[0];
  for (const [id, link] of links) {
    if (id === current.id) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

let waiting = false;
addEventListener(
  'scroll',
  () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  },
  { passive: true },
);
mark();
