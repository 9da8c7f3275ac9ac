import sanitizeHtml from 'sanitize-html';
import { embedHosts } from './embed-address.ts';
import { attributeNames, blockNames, classNames, inlineLeafNames, inlineNames, linkSchemes } from './vocabulary.ts';

// The sanitizer searches this list for each tag, so the most frequent ones come first.
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
 * Sanitizes the HTML a second time, as the last step for every body, with a package that does not depend on our own code.
 * It normally finds nothing to remove. If our code lets something through by mistake, this keeps it from visitors.
 */
export function sanitizeBody(html: string): string {
  // The package writes empty elements the XML way. In its output, a ">" that does not end a tag is written "&gt;".
  return sanitizeHtml(html, options).replaceAll(' />', '>');
}
