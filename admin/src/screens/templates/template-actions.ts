import { api } from '../../api.ts';
import type { TemplateJson, TemplatesJson } from '../../contract.ts';
import { TEMPLATES } from '../../parts/offer-dialog.tsx';
import { queryClient } from '../../queries.ts';
import { changeItem, moveItem, runOptimistic } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { words } from './words.ts';

/** Moves a template to the place of another in the list. */
export function move(template: TemplateJson, place: TemplateJson): void {
  const templates = queryClient.getQueryData<TemplatesJson>(TEMPLATES)?.templates ?? [];
  const position = templates.findIndex(({ id }) => id === place.id) + 1;
  runOptimistic({
    about: TEMPLATES,
    show: () => moveItem(TEMPLATES, template, place),
    send: () => api.moveTemplate(template.id, { position }),
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
