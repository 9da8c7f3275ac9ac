import { api } from '../../api.ts';
import type { DomainJson } from '../../contract.ts';
import { queryClient } from '../../queries.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { addressWords as words } from './words.ts';

export const DOMAINS = ['domains'];

/** Moves the app to another domain, or to the standard address if `after` is undefined, and offers to undo it. */
export function putAppAt(before: DomainJson | undefined, after: DomainJson | undefined): void {
  if (before?.id === after?.id) return;
  runOptimisticWithUndo({
    about: DOMAINS,
    show: () => {
      show(after);
      return () => show(before);
    },
    send: () => send(before, after),
    sendBack: () => send(after, before),
    done: () => (after ? words.put(after.shownHost) : words.putBack),
  });
}

function send(before: DomainJson | undefined, after: DomainJson | undefined): Promise<unknown> {
  if (after) return api.changeDomainUse(after.id, { isApp: true });
  return api.changeDomainUse(before!.id, { isApp: false });
}

function show(app: DomainJson | undefined): void {
  queryClient.setQueryData<{ domains: DomainJson[] }>(
    DOMAINS,
    (answer) => answer && { domains: answer.domains.map((domain) => ({ ...domain, isApp: domain.id === app?.id })) },
  );
}
