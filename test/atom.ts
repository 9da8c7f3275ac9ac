import { readFileSync } from 'node:fs';
import { type ErrorDetail, XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';

const schema = readFileSync(new URL('./atom.xsd', import.meta.url));

/** What is wrong with an Atom feed: as XML, or by what RFC 4287 asks for. */
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
