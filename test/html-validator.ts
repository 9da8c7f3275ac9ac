import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate';

/** Works out once which rules there are: for each document anew it takes ten times as long as looking at the document. */
class OneConfig extends StaticConfigLoader {
  #resolved: ReturnType<StaticConfigLoader['getConfigFor']> | undefined;

  override getConfigFor(handle: string) {
    this.#resolved ??= super.getConfigFor(handle);
    return this.#resolved;
  }
}

export function htmlValidator(config: ConfigData): HtmlValidate {
  return new HtmlValidate(new OneConfig(config));
}

const validator = htmlValidator({
  extends: ['html-validate:recommended', 'html-validate:standard'],
  rules: {
    // Titles are their owners'.
    'long-title': 'off',
    // A container that scrolls is a group and no fieldset.
    'prefer-native-element': ['error', { exclude: ['group'] }],
  },
});

/** Returns the findings of html-validate about a document, one line each. */
export async function htmlFindings(document: string): Promise<string[]> {
  const { results } = await validator.validateString(document);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
}
