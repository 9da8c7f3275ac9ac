import { strings } from './strings.ts';

/** Sentences of the service with something in them, as patterns. */
const patterns = Object.entries(strings.service)
  .filter(([sentence]) => sentence.includes('{}'))
  .map(([sentence, words]) => ({ pattern: patternOf(sentence), words }));

/** What the service says, in the words of the catalogue; as it is where that has none. */
export function translateServiceMessage(sentence: string): string {
  const exact = strings.service[sentence];
  if (exact !== undefined) return exact;
  for (const { pattern, words } of patterns) {
    const parts = pattern.exec(sentence)?.slice(1);
    if (parts) return words.replaceAll('{}', () => parts.shift() ?? '');
  }
  return sentence;
}

/** The same of several sentences, such as those about a domain. */
export function translateServiceMessages(sentences: string): string {
  return sentences
    .split(/(?<=\.) (?=[A-Z])/)
    .map(translateServiceMessage)
    .join(' ');
}

function patternOf(sentence: string): RegExp {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${sentence.split('{}').map(literal).join('(.+?)')}$`, 's');
}
