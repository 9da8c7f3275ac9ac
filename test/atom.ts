import { readFileSync } from 'node:fs';
import { type ErrorDetail, XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';

const schema = readFileSync(new URL('./atom.xsd', import.meta.url));

/** Returns the errors of an Atom feed, as XML and by RFC 4287. */
export function feedMistakes(feed: string): string[] {
  using schemaDocument = XmlDocument.fromBuffer(schema);
  using validator = XsdValidator.fromDoc(schemaDocument);
  try {
    using document = XmlDocument.fromString(feed);
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.details.map(({ line, message }: ErrorDetail) => `line ${line}: ${message.trim()}`);
  }
}
