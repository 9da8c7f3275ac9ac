import markdownIt, { type MarkdownIt, type StateCore, type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { isVideoUrl } from './embeds.ts';
import { markTasks } from './tasks.ts';

const plain = newMarkdown();
const withFootnotes = newMarkdown().use(footnotes);

/** The most marks of footnotes: the plugin takes quadratic time. */
const MAX_FOOTNOTE_MARKS = 1000;

/** Converts CommonMark with tables, strikethrough, task lists, footnotes and bare addresses to HTML that is not yet safe. */
export function markdownToHtml(text: string): string {
  const marks = text.match(/\[\^|\^\[/g)?.length ?? 0;
  return (marks > 0 && marks <= MAX_FOOTNOTE_MARKS ? withFootnotes : plain).render(text);
}

function newMarkdown(): MarkdownIt {
  const markdown = markdownIt({ html: true, linkify: true });
  const { normalizeLink } = markdown;
  // The original goes from character to character, and needs half a gigabyte for an image of some megabytes.
  markdown.normalizeLink = (url) => (/^data:image\/\w+;base64,[\w+/=]*$/.test(url) ? url : normalizeLink(url));
  // Names of files and products must not become links, so only addresses with a scheme or `www.` do.
  markdown.linkify.set({ fuzzyLink: false });
  markdown.linkify.add('www.', {
    validate: (text, at) =>
      /^[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,5}(?:\/[\w\-.~/%+=&?#]*[\w/])?/i.exec(text.slice(at, at + 500))?.[0]
        .length ?? 0,
    normalize: (match) => {
      match.url = `https://${match.url}`;
    },
  });
  markdown.core.ruler.push('tasks', markTasks);
  markdown.core.ruler.push('videos', embedVideos);
  return markdown;
}

/** Replaces a paragraph that consists only of a video's address with the video. */
function embedVideos(state: StateCore): void {
  state.tokens.forEach((token, index) => {
    if (token.type !== 'inline' || state.tokens[index - 1]?.type !== 'paragraph_open') return;
    const address = bareUrl(token.children ?? []);
    if (!address || !isVideoUrl(address)) return;
    const video = new state.Token('html_inline', '', 0);
    video.content = `<iframe src="${state.md.utils.escapeHtml(address)}"></iframe>`;
    token.children = [video];
  });
}

function bareUrl(children: readonly Token[]): string | undefined {
  const [open, text, close, more] = children;
  if (!open || more || text?.type !== 'text' || close?.type !== 'link_close') return undefined;
  return open.markup === 'linkify' || open.markup === 'autolink' ? String(open.attrGet('href') ?? '') : undefined;
}
