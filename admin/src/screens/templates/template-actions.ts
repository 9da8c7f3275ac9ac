import { api } from '../../api.ts';
import type { TemplateJson, TemplatesJson } from '../../contract.ts';
import { TEMPLATES } from '../../parts/offer-dialog.tsx';
import { queryClient } from '../../queries.ts';
import { changeItem, runOptimistic } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { words } from './words.ts';

/** Moves a template to the place of another in the list. */
export function move(template: TemplateJson, place: TemplateJson): void {
  const list = () => queryClient.getQueryData<TemplatesJson>(TEMPLATES)?.templates ?? [];
  const before = list();
  const position = before.findIndex(({ id }) => id === place.id);
  const from = before.findIndex(({ id }) => id === template.id);
  const put = (index: number) => {
    const others = list().filter(({ id }) => id !== template.id);
    const now = list().find(({ id }) => id === template.id) ?? template;
    queryClient.setQueryData<TemplatesJson>(TEMPLATES, { templates: others.toSpliced(index, 0, now) });
  };
  runOptimistic({
    about: TEMPLATES,
    show: () => {
      put(position);
      return () => put(from);
    },
    send: () => api.moveTemplate(template.id, { position: position + 1 }),
  });
}

export function retire(template: TemplateJson): void {
  runOptimisticWithUndo({
    about: TEMPLATES,
    show: () => changeItem(TEMPLATES, template, { retiredAt: Date.now() }),
    send: () => api.retireTemplate(template.id),
    sendBack: () => api.restoreTemplate(template.id),
    done: () => words.retired(template.name),
    undone: words.restored(template.name),
  });
}

export function restore(template: TemplateJson): void {
  runOptimisticWithUndo({
    about: TEMPLATES,
    show: () => changeItem(TEMPLATES, template, { retiredAt: null }),
    send: () => api.restoreTemplate(template.id),
    sendBack: () => api.retireTemplate(template.id),
    done: () => words.restored(template.name),
    undone: words.retired(template.name),
  });
}
