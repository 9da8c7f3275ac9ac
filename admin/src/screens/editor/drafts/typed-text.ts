/** How long the user must stop typing before the text is read, and after which time it is read in any case. */
const PAUSE_MS = 300;
const MAX_WAIT_MS = 2000;

/** A long text that is being typed. It is read only in pauses, because reading all of it takes longer than a keystroke may. */
export class TypedText {
  readonly #onRead: (text: string) => void;
  #read: (() => string) | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #latest: ReturnType<typeof setTimeout> | undefined;

  constructor(onRead: (text: string) => void) {
    this.#onRead = onRead;
  }

  /** Records that the text has changed and how to read it. */
  record(read: () => string): void {
    if (!this.#read) this.#latest = setTimeout(() => this.flush(), MAX_WAIT_MS);
    this.#read = read;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** Reads the text at once if it has changed since it was last read. */
  flush(): void {
    clearTimeout(this.#pause);
    clearTimeout(this.#latest);
    const read = this.#read;
    this.#read = undefined;
    if (read) this.#onRead(read());
  }
}
