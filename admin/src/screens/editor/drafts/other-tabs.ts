import { createStore } from '../../../store.ts';

/** A message from one tab to the others, with the sender's id and, unless it leaves, the state in which it has the page. */
type Message = { readonly type: 'hello' | 'here' | 'left' | 'changed'; readonly id: string; readonly state?: string };

interface Listener {
  /** Returns the state in which this tab has the page. */
  readonly state: () => string;
  /** Another tab has opened the page. */
  readonly onHello: () => void;
  /** Another tab has opened, saved or published the page, and has it in this state. */
  readonly onChanged: (state: string) => void;
}

/**
 * The other tabs of this browser in which the same person has the same page open. Each tab holds a lock. The others wait for
 * it, since a tab that crashes says no goodbye. Without a secure connection there are no locks.
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
    // A tab that opens the page may have what one that was closed has saved last.
    if (state !== undefined) this.#listener.onChanged(state);
  }

  #add(id: string): void {
    if (this.#others.has(id)) return;
    this.#others.add(id);
    this.isAnyOpen.set(true);
    // Granted once the tab is gone.
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
