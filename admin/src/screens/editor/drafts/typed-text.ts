/** How long nobody types in a pause, and how long it takes at most until what is typed is read. */
const PAUSE_MS = 300;
const MAX_WAIT_MS = 2000;

/** A long text that somebody types. It is read in a pause, because reading all of it takes longer than a key may take. */
export class TypedText {
  readonly #onRead: (text: string) => void;
  #read: (() => string) | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #latest: ReturnType<typeof setTimeout> | undefined;

  constructor(onRead: (text: string) => void) {
    this.#onRead = onRead;
  }

  /** Notes that the text has changed, and how to read it. */
  note(read: () => string): void {
    if (!this.#read) this.#latest = setTimeout(() => this.take(), MAX_WAIT_MS);
    this.#read = read;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.take(), PAUSE_MS);
  }

  /** Reads at once what has not been read yet. */
  take(): void {
    clearTimeout(this.#pause);
    clearTimeout(this.#latest);
    const read = this.#read;
    this.#read = undefined;
    if (read) this.#onRead(read());
  }
}
