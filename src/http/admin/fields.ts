import { AppError, ValidationError } from '../../errors.ts';

/**
 * Reads the fields of a JSON body, each as a certain type. Unknown fields are ignored.
 * @throws AppError (each reader) `malformed` when the field is something else. Unknown fields are ignored.
 */
export class Fields {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(body: unknown) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new AppError('malformed', 'The body must be a JSON object.');
    }
    this.#values = new Map(Object.entries(body));
  }

  /** Whether the field was sent, `null` included. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** @throws ValidationError where it has a NUL character, which neither database takes for text. */
  text(name: string): string {
    const text = this.#read(name, isText, 'a text');
    if (text.includes('\0')) throw new ValidationError([{ field: name, code: 'nul_character' }]);
    return text;
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  /** Reads a text, or null if null was sent. */
  nullableText(name: string): string | null {
    return this.#values.get(name) === null ? null : this.text(name);
  }

  flag(name: string): boolean {
    return this.#read(name, isFlag, 'true or false');
  }

  optionalFlag(name: string): boolean | undefined {
    return this.has(name) ? this.flag(name) : undefined;
  }

  integer(name: string): number {
    return this.#read(name, isInteger, 'a whole number');
  }

  optionalInteger(name: string): number | undefined {
    return this.has(name) ? this.integer(name) : undefined;
  }

  nullableInteger(name: string): number | null {
    return this.#values.get(name) === null ? null : this.integer(name);
  }

  /** Returns the value unchecked, for callers that check it themselves. */
  unread(name: string): unknown {
    return this.#values.get(name);
  }

  /** The fields of an object in it. */
  object(name: string): Fields {
    return new Fields(this.#values.get(name));
  }

  #read<T>(name: string, is: (value: unknown) => value is T, what: string): T {
    const value = this.#values.get(name);
    if (!is(value)) throw new AppError('malformed', `"${name}" must be ${what}.`);
    return value;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
