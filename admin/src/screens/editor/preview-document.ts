import { nonce } from '../../nonce.ts';

/** Enough of a look to judge a text by. The site's own comes with the page itself. */
const style = `
:root { color-scheme: light dark }
body { font: 17px/1.65 Georgia, 'Times New Roman', serif; max-width: 42rem; margin: 0 auto; padding: 28px 24px 60px; overflow-wrap: break-word }
h1, h2, h3, h4 { font-family: system-ui, sans-serif; line-height: 1.2; margin: 1.6em 0 .5em }
body > h1:first-child { margin-top: 0 }
img, video, iframe { max-width: 100%; height: auto }
iframe { aspect-ratio: 16 / 9; width: 100% }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid #8886; padding: 6px 10px; text-align: start }
pre { overflow-x: auto; padding: 14px; background: #8881; border-radius: 6px }
blockquote { margin-inline: 0; padding-inline-start: 1em; border-inline-start: 3px solid #8886 }
`;

const start = `<!doctype html><meta charset="utf-8"><style nonce="${nonce}">${style}</style><body>`;

/** A document for the preview's frame. The html has been made safe by the service. */
export function previewDocument(name: string, html: string): string {
  // A whole document has the site's look; its own style element needs our leave.
  if (/^\s*<!doctype/i.test(html)) return html.replaceAll('<style>', `<style nonce="${nonce}">`);
  // A text that brings its own title has no other above it.
  if (/^\s*<h1\b/i.test(html)) return `${start}${html}`;
  const heading = `<h1>${name.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}</h1>`;
  return `${start}${heading}${html}`;
}
