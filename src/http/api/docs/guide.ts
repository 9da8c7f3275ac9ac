import { readFileSync } from 'node:fs';
import { markdownToHtml } from '../../../sites/body/markdown.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

/** The chapters of docs/api.md that apply to every operation. The others describe one operation each. */
const CHAPTERS = [
  'Requests',
  'Webhooks',
  'Ask only for changes',
  'Statuses and errors',
  'Retry a creation safely',
  'Scopes',
  'Limits',
];

/** Returns the chapters, with this installation's URL in their examples. */
export function guide(publicUrl: string): Section[] {
  const chapters = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
    .replaceAll('http://localhost:8080', publicUrl)
    // Remove links to the other documents, which the installation does not serve.
    .replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1')
    .split(/^## /m);
  return CHAPTERS.map((title) => {
    const chapter = chapters.find((text) => text.startsWith(`${title}\n`))!;
    return { id: title.toLowerCase().replaceAll(' ', '-'), title, html: toHtml(chapter.slice(title.length)) };
  });
}

/** Converts Markdown to HTML. Only commands get a copy button. */
function toHtml(markdown: string): string {
  return markdownToHtml(markdown)
    .replace(
      /<pre><code class="language-(\w+)">([^<]*)<\/code><\/pre>/g,
      (_, language: string, text: string) =>
        `<div class="code"${language === 'sh' ? ' data-copy="Example"' : ''}><pre tabindex="0" role="group" aria-label="Example"><code>${text}</code></pre></div>`,
    )
    .replaceAll('<table>', '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>');
}
