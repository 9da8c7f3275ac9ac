/*
 * Requests that the page's inline script sends before the app has loaded. The app takes their answers, so nothing is
 * requested twice. Inline scripts and the app are built separately, so they share data through a global instead of a module.
 */

/** A symbol, because an element in a page could clobber a string key with its id. */
const EARLY_RESPONSES: unique symbol = Symbol.for('asked');
const shared = globalThis as { [EARLY_RESPONSES]?: Map<string, Promise<Response>> };

/** Returns the JSON of a successful answer, or undefined for any other, which the app reports. */
export async function requestEarly<T>(address: string, body?: object): Promise<T | undefined> {
  const text = body && JSON.stringify(body);
  const answer = fetch(address, text === undefined ? {} : post(text));
  const forApp = answer.then((response) => response.clone());
  // The app handles a failed request.
  forApp.catch(() => {});
  shared[EARLY_RESPONSES] ??= new Map();
  shared[EARLY_RESPONSES].set(keyOf(address, text), forApp);
  try {
    const response = await answer;
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the answer to a request that was sent early. Each answer is returned only once. */
export function takeEarlyResponse(address: string, text: string | undefined): Promise<Response> | undefined {
  const key = keyOf(address, text);
  const answer = shared[EARLY_RESPONSES]?.get(key);
  shared[EARLY_RESPONSES]?.delete(key);
  return answer;
}

const keyOf = (address: string, text = '') => `${address} ${text}`;

const post = (body: string) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
