import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { variableNames } from './config.ts';
import type { Values } from './config-values.ts';
import { AppError } from './errors.ts';
import { fileProblemOf } from './file-problem.ts';

/** The file that is read from the working directory if no other file is named. */
const SETTINGS_FILE = 'freehold.env';

interface Places {
  /** The file of `--env-file`, which must exist. */
  envFile?: string | undefined;
  /** The folder of `freehold.env`; undefined for none. */
  folder?: string | undefined;
}

/**
 * Returns the environment, completed with the options of a settings file. Options that `NAME_FILE` names are read from
 * those files.
 * @throws AppError `invalid` with a sentence for every mistake; it repeats no values
 */
export function completeEnvironment(environment: Values, { envFile, folder }: Places): Values {
  const file = envFile ?? (folder && join(folder, SETTINGS_FILE));
  const settings = file ? readSettings(file, envFile !== undefined) : {};
  const mistakes: string[] = [];
  const read = (name: string, values: Values) => {
    try {
      return optionValue(name, values);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      mistakes.push(error.message);
      return undefined;
    }
  };
  const unknown = Object.keys(settings).filter((name) => !variableNames.includes(name.replace(/_FILE$/, '')));
  // A misspelt option could put the data in another place.
  mistakes.push(...unknown.map((name) => `${file}: ${name} is not an option.`));
  const complete: Record<string, string | undefined> = { ...environment };
  for (const name of variableNames) {
    complete[name] = read(name, environment) ?? read(name, settings);
    delete complete[`${name}_FILE`];
  }
  if (mistakes.length > 0) throw new AppError('invalid', mistakes.join('\n'));
  return complete;
}

/** Reads a settings file. Returns no settings if an optional file does not exist. */
function readSettings(file: string, mustExist: boolean): Values {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!mustExist && codeOf(error) === 'ENOENT') return {};
    throw new AppError('invalid', `The settings cannot be read: ${fileProblemOf(error, file)}.`, { cause: error });
  }
}

/** Returns an option's value, even if it is empty, or the content of the file in `NAME_FILE`. */
function optionValue(name: string, values: Values): string | undefined {
  const path = values[`${name}_FILE`];
  if (!path) return values[name];
  if (values[name]) throw new AppError('invalid', `Set ${name} or ${name}_FILE, not both.`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new AppError('invalid', `${name}_FILE cannot be read: ${fileProblemOf(error, path)}.`, { cause: error });
  }
  // An empty secret is a mistake, and never means the default.
  if (text === '') throw new AppError('invalid', `${name}_FILE: ${path} is empty.`);
  return text;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
