import { createStore } from '../../../store.ts';

/** A message between tabs, with the sender's id and, unless the sender is leaving, its state of the page. */
type Message = { readonly type: 'hello' | 'here' | 'left' | 'changed'; readonly id: string; readonly state?: string };

interface Listener {
  /** Returns this tab's state of the page. */
  readonly state: () => string;
  /** Called when another tab opens the page. */
  readonly onHello: () => void;
  /** Called when another tab has opened, saved or published the page, with that tab's state. */
  readonly onChanged: (state: string) => void;
}

/**
 * Tracks the user's other tabs with this page open in this browser. Each tab holds a lock, and the others wait for it,
 * because a tab that crashes sends no message. Locks need HTTPS; without them, crashes go unnoticed.
 */
export class OtherTabs {
  readonly isAnyOpen = createStore(false);
  readonly #channel: BroadcastChannel;
  readonly #id = Math.random().toString(36).slice(2);
  readonly #others = new Set<string>();
  readonly #closing = new AbortController();
  readonly #listener: Listener;

  constructor(page: string, listener: Listener) {
    this.#listener = listener;
    this.#channel = new BroadcastChannel(`app:page:${page}`);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data);
    if (navigator.locks) void navigator.locks.request(nameOf(this.#id), () => this.#holdLock());
    else this.#send('hello');
  }

  tellChanged(): void {
    this.#send('changed');
  }

  close(): void {
    this.#send('left');
    this.#channel.close();
    this.#closing.abort();
  }

  #holdLock(): Promise<void> {
    this.#send('hello');
    return new Promise((resolve) => this.#closing.signal.addEventListener('abort', () => resolve()));
  }

  #send(type: Message['type']): void {
    if (this.#closing.signal.aborted) return;
    const state = type === 'left' ? {} : { state: this.#listener.state() };
    this.#channel.postMessage({ type, id: this.#id, ...state } satisfies Message);
  }

  #hear({ type, id, state }: Message): void {
    if (type === 'left') this.#remove(id);
    else this.#add(id);
    if (type === 'hello') {
      this.#send('here');
      this.#listener.onHello();
    }
    // Even a new tab may know a later state: another tab may have saved it and then closed.
    if (state !== undefined) this.#listener.onChanged(state);
  }

  #add(id: string): void {
    if (this.#others.has(id)) return;
    this.#others.add(id);
    this.isAnyOpen.set(true);
    // The request is granted when the other tab is gone.
    const { signal } = this.#closing;
    navigator.locks
      ?.request(nameOf(id), { mode: 'shared', signal }, () => this.#remove(id))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
  }

  #remove(id: string): void {
    this.#others.delete(id);
    this.isAnyOpen.set(this.#others.size > 0);
  }
}

function nameOf(id: string): string {
  return `app:tab:${id}`;
}
