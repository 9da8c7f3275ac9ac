import type { TestContext } from 'node:test';
import type { Person } from './person.ts';

/*
 * The parts of a browser that the admin app's modules need in tests without one: `fetch`, which asks a real service as a
 * signed-in person, and `localStorage`.
 */

/** A controllable connection between the app and the service. */
export interface Network {
  /** The sent requests that change something, as `METHOD path`. */
  readonly sent: string[];
  /** True while no request gets through. */
  isDown: boolean;
  /** Drops the answers to requests with this method, which still reach the service. */
  loseAnswersTo(method: string | undefined): void;
  /** Holds requests with this method back from now on. `come` resolves when there is one; `letGo` sends them. */
  hold(method: string): { readonly come: Promise<void>; readonly letGo: () => void };
  /** Resolves when no request is in flight, and the answers so far cause no further requests. */
  idle(): Promise<void>;
}

/** Replaces `fetch` for the app's modules with one that sends requests to the service as the person. */
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

/** A browser's storage with room for a number of characters. */
export class MemoryStorage {
  /** Stored items are also properties, as in a browser. */
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

/** Replaces `localStorage` until the test ends. */
export function useStorage(t: TestContext, storage: MemoryStorage): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  t.after(() => {
    if (before) Object.defineProperty(globalThis, 'localStorage', before);
    else Reflect.deleteProperty(globalThis, 'localStorage');
  });
}
