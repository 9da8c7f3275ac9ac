import sanitizeHtml from 'sanitize-html';
import { embedHosts } from './embed-address.ts';
import { attributeNames, blockNames, classNames, inlineLeafNames, inlineNames, linkSchemes } from './vocabulary.ts';

// The sanitiser goes through this list for each tag, so the most frequent ones come first.
const frequent = ['p', 'li', 'a', 'strong', 'em', 'td', 'tr', 'code', 'br', 'span', 'div', 'ul', 'h2', 'h3', 'img'];

const options: sanitizeHtml.IOptions & { allowedEmptyAttributes: string[] } = {
  allowedTags: [
    ...new Set([...frequent, ...blockNames, ...inlineNames, ...inlineLeafNames, 'iframe', 'picture', 'source']),
  ],
  allowedAttributes: Object.fromEntries(Object.entries(attributeNames).map(([name, names]) => [name, [...names]])),
  allowedClasses: { '*': [...classNames, 'language-*'] },
  allowedSchemes: linkSchemes,
  allowedSchemesByTag: { img: ['http', 'https', 'data'], iframe: ['https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'srcset'],
  allowProtocolRelative: true,
  allowedIframeHostnames: [...embedHosts],
  allowIframeRelativeUrls: false,
  allowedEmptyAttributes: ['alt', 'href'],
  selfClosing: ['br', 'hr', 'img', 'input', 'source', 'wbr'],
  parser: { decodeEntities: true, lowerCaseTags: true },
};

/**
 * The last step of every body: a second, independent sanitiser that knows nothing of how the HTML came about. It finds
 * nothing to take away; if one day it does, what was let through by mistake does not reach a visitor.
 */
export function sanitizeBody(html: string): string {
  // It ends empty elements the XML way. A ">" that is not the end of a tag is written "&gt;".
  return sanitizeHtml(html, options).replaceAll(' />', '>');
}
