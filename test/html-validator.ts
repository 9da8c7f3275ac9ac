import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate';

/** Resolves the configuration once: doing so for each document would take ten times as long as validating it. */
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
    // Owners choose their titles.
    'long-title': 'off',
    // A scrollable container has the role "group", which would be wrong as a fieldset.
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
