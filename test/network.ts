import type { TestContext } from 'node:test';
import type { Person } from './person.ts';

/*
 * The parts of a browser that the admin app's modules need in tests without one: `fetch`, which asks a real service as a
 * signed-in person, and `localStorage`.
 */

/** The way from the app to the service. */
export interface Network {
  /** The requests that were sent and change something, as `METHOD path`. */
  readonly sent: string[];
  /** Whether nothing comes through. */
  isDown: boolean;
  /** Lets requests reach the service, and loses the answers of those with this method. */
  loseAnswersTo(method: string | undefined): void;
  /** Keeps back requests with this method from now on. Resolves `come` when there is one; `letGo` sends them. */
  hold(method: string): { readonly come: Promise<void>; readonly letGo: () => void };
  /** Resolves when nothing is under way, and nothing more is sent because of what has been answered. */
  idle(): Promise<void>;
}

/** Gives the modules of the app a network, at the other end of which is the service that the person uses. */
export function connect(t: TestContext, person: Person): Network {
  let lost: string | undefined;
  const held = new Map<string, { arrive: () => void; freed: Promise<void> }>();
  const network: Network = {
    sent: [],
    isDown: false,
    loseAnswersTo: (method) => {
      lost = method;
    },
    hold: (method) => {
      const [come, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held.set(method, { arrive: come.resolve, freed: free.promise });
      const letGo = () => {
        held.delete(method);
        free.resolve();
      };
      return { come: come.promise, letGo };
    },
    idle: async () => {
      for (let quiet = 0; quiet < 5; quiet += 1) {
        await new Promise(setImmediate);
        if (underWay > 0) quiet = 0;
      }
    },
  };
  let underWay = 0;
  const ask: typeof fetch = async (...request) => {
    underWay += 1;
    try {
      return await answer(...request);
    } finally {
      underWay -= 1;
    }
  };
  const answer: typeof fetch = async (target, { method = 'GET', headers, body } = {}) => {
    const path = String(target).replace(/^\/admin\//, '');
    if (method !== 'GET') network.sent.push(`${method} ${path.replace(/\?.*/, '')}`);
    const gate = held.get(method);
    gate?.arrive();
    await gate?.freed;
    if (network.isDown) throw new TypeError('Failed to fetch');
    const json = body === undefined || body === null ? undefined : JSON.parse(String(body));
    const reply = await person.send(method, path, json, headers as Record<string, string>);
    if (method === lost) throw new TypeError('Failed to fetch');
    return new Response(reply.status === 204 ? null : new Uint8Array(reply.bytes), {
      status: reply.status,
      headers: { 'Content-Type': 'application/json' },
    });
  };
  t.mock.method(globalThis, 'fetch', ask);
  return network;
}

/** A browser's storage, with `room` for so many characters. */
export class MemoryStorage {
  /** Like a browser's, it has what is stored as its own properties. */
  [key: string]: unknown;

  constructor(room = Number.POSITIVE_INFINITY) {
    Object.defineProperty(this, 'room', { value: room, writable: true });
  }

  getItem(key: string): string | null {
    return Object.hasOwn(this, key) && key !== 'room' ? (this[key] as string) : null;
  }

  setItem(key: string, value: string): void {
    const others = Object.entries(this).filter(([name]) => name !== key);
    const size = others.reduce((sum, [, text]) => sum + String(text).length, value.length);
    if (size > (this.room as number)) throw new DOMException('There is no room.', 'QuotaExceededError');
    this[key] = value;
  }

  removeItem(key: string): void {
    delete this[key];
  }
}

/** Puts another storage in the place of the browser's; until the test ends. */
export function useStorage(t: TestContext, storage: MemoryStorage): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  t.after(() => {
    if (before) Object.defineProperty(globalThis, 'localStorage', before);
    else Reflect.deleteProperty(globalThis, 'localStorage');
  });
}
