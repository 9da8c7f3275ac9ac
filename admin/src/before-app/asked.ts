/*
 * Requests that are sent before the app is there. The app takes their answers, so nothing is requested twice. The scripts in
 * the page and those of the app are built apart, so they share no module's variables.
 */

/** No text in a page can have it as an id, and so be taken for it. */
const ASKED: unique symbol = Symbol.for('asked');
const shared = globalThis as { [ASKED]?: Map<string, Promise<Response>> };

/** Returns the JSON of a successful answer; undefined for any other, which the app reports. */
export async function askAtOnce<T>(address: string, body?: object): Promise<T | undefined> {
  const text = body && JSON.stringify(body);
  const answer = fetch(address, text === undefined ? {} : post(text));
  const forApp = answer.then((response) => response.clone());
  // That there was none is for the app to find.
  forApp.catch(() => {});
  shared[ASKED] ??= new Map();
  shared[ASKED].set(keyOf(address, text), forApp);
  try {
    const response = await answer;
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the answer to a request that was sent before, once. */
export function takeAsked(address: string, text: string | undefined): Promise<Response> | undefined {
  const key = keyOf(address, text);
  const answer = shared[ASKED]?.get(key);
  shared[ASKED]?.delete(key);
  return answer;
}

const keyOf = (address: string, text = '') => `${address} ${text}`;

const post = (body: string) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
