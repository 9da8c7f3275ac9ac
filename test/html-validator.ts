import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:standard'],
  rules: {
    // Titles are their owners'.
    'long-title': 'off',
    // A container that scrolls is a group and no fieldset.
    'prefer-native-element': ['error', { exclude: ['group'] }],
  },
});

/** What html-validate has to say of a document, a line each. */
export async function htmlFindings(document: string): Promise<string[]> {
  const { results } = await validator.validateString(document);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
}
