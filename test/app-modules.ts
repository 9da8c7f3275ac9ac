import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * Lets Node import modules of the admin app that import components: Node itself strips types but knows neither JSX nor style
 * sheets. Static imports are resolved before this runs, so tests must load these modules later, with `await import(…)`.
 */

interface Transformer {
  transformSync(
    file: string,
    code: string,
    options: object,
  ): { readonly code: string; readonly errors: readonly unknown[] };
}

/** Vite's own transformer, so that the tests run the code that the build makes. */
const { transformSync } = createRequire(import.meta.resolve('vite'))('rolldown/utils') as Transformer;

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('.css')) {
      return {
        format: 'module',
        shortCircuit: true,
        source: 'export default new Proxy({}, { get: (_, name) => name });',
      };
    }
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    const file = fileURLToPath(url);
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), { jsx: { runtime: 'automatic' } });
    if (errors.length > 0) throw new SyntaxError(`${file}: ${JSON.stringify(errors)}`);
    return { format: 'module', shortCircuit: true, source: code };
  },
});

/** The part of the package that is used here. The package's own types need the DOM types, which these tests do not have. */
interface Notifications {
  readonly notificationsStore: {
    getState(): { readonly notifications: readonly Shown[]; readonly queue: readonly Shown[] };
    setState(state: object): void;
  };
}

interface Shown {
  readonly message: unknown;
}

const { notificationsStore } = (await import('@mantine/notifications' as string)) as Notifications;

/** A notification of the app, with the action of its button, if it has one. */
export interface Message {
  readonly text: string;
  readonly undo: (() => void) | undefined;
}

/** Returns the visible notifications, oldest first. */
export function messages(): Message[] {
  const { notifications, queue } = notificationsStore.getState();
  return [...notifications, ...queue].map(({ message }) => {
    const { message: text = String(message), undo } =
      (message as { props?: { message: string; undo: () => void } } | null)?.props ?? {};
    return { text, undo };
  });
}

/** Presses “Undo” in the latest notification with this text. */
export function pressUndo(text: string): void {
  const found = messages().findLast((message) => message.undo && message.text.includes(text));
  if (!found?.undo) throw new Error(`There is no “${text}” in ${JSON.stringify(messages())}`);
  found.undo();
}

/** Closes all notifications. */
export function clearMessages(): void {
  notificationsStore.setState({ ...notificationsStore.getState(), notifications: [], queue: [] });
}
