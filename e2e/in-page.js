/*
 * Functions that the test of hostile bodies runs inside the pages. This script runs before anything of the page.
 */

for (const name of ['alert', 'confirm', 'prompt', 'msgbox']) {
  Object.defineProperty(globalThis, name, { value: () => void globalThis.reportScript(location.pathname) });
}

/** Sends pointer, focus and other events to every element, and loads lazy images. */
globalThis.touchEverything = async () => {
  for (const element of document.querySelectorAll('main *')) {
    for (const type of ['mouseover', 'pointerenter', 'focus', 'mousedown', 'toggle', 'scroll', 'load', 'error']) {
      element.dispatchEvent(new Event(type));
    }
    element.focus?.();
    if (element.localName === 'img') element.loading = 'eager';
  }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
};

const schemes = ['http:', 'https:', 'mailto:', 'tel:', 'sms:', ':'];
const names =
  `a abbr address b bdi bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5
  h6 hr i iframe img input ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td
  tfoot th thead time tr u ul var wbr`.split(/\s+/);
const attributes =
  `alt allow allowfullscreen aria-label checked cite class colspan datetime decoding dir disabled fetchpriority height href
  id lang loading open referrerpolicy rel reversed role rowspan sandbox scope sizes src srcset start tabindex target title
  type value width`.split(/\s+/);
const frames = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.openstreetmap.org',
  'https://www.google.com',
];

/** Returns the HTML of elements that must not be on the page, as the browser has parsed them. */
globalThis.findForbiddenElements = () => {
  const found = [...document.querySelectorAll('main *')].filter(isForbidden).map((element) => element.outerHTML);
  // The body of the page must not have escaped from its container.
  if (document.body.childNodes.length !== 1) found.push(document.body.outerHTML);
  return found;
};

function isForbidden(element) {
  if (!(element instanceof HTMLElement) || !names.includes(element.localName)) return true;
  if ([...element.attributes].some(({ name }) => !attributes.includes(name))) return true;
  if (element.localName === 'a' && !schemes.includes(element.protocol)) return true;
  if (element.localName === 'iframe' && !frames.includes(new URL(element.src).origin)) return true;
  return element.id !== '' && !/^h[1-6]$/.test(element.localName) && !element.id.startsWith('c-');
}

/** Returns how the browser nests the elements of each body, in the form of `outline.ts`. */
globalThis.outlines = (bodies) =>
  bodies.map((html) => {
    const page = new DOMParser().parseFromString(`<!DOCTYPE html><body><main>${html}</main>`, 'text/html');
    return outlineOf(page.querySelector('main'));
  });

function outlineOf(parent) {
  return [...parent.children].map((child) => `<${child.localName}>${outlineOf(child)}`).join('') + '/';
}
