import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';
import type { BrandAnswerJson, BrandJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { type BrandTexts, inputOf, textsOf } from './brand-texts.ts';
import { words } from './words.ts';

export const BRAND = ['brand'];

/** Saves the brand, and offers to undo it. `onSaved` is called with the saved texts. */
export function useSaveBrand(before: BrandJson | null, onSaved: (texts: BrandTexts) => void) {
  return useMutation({
    mutationFn: (texts: BrandTexts) => api.changeBrand(inputOf(texts, before)),
    onSuccess: ({ brand }, texts) => {
      onSaved(texts);
      show(brand);
      if (brand.version !== before?.version) showUndo(words.saved(brand.name), () => putBack(before, brand));
    },
    // After a conflict, the current version is loaded, so that saving again replaces it.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) void queryClient.invalidateQueries({ queryKey: BRAND });
    },
  });
}

/** Removes the brand, and offers to undo it. */
export function useRemoveBrand(brand: BrandJson | null) {
  return useMutation({
    mutationFn: api.removeBrand,
    onError: showError,
    onSuccess: () => {
      show(null);
      if (brand) showUndo(words.removed(brand.name), () => putBack(brand, null));
    },
  });
}

/** Restores the earlier brand. Refused if another user has changed the brand since. */
async function putBack(before: BrandJson | null, now: BrandJson | null): Promise<void> {
  show(before && { ...before, version: now?.version ?? 0 });
  try {
    if (before) {
      const input = { ...textsOf(before, ''), seenVersion: now?.version ?? 0 };
      show((await api.changeBrand(input)).brand);
    } else {
      await api.removeBrand();
    }
    showDone(strings.undone);
  } catch (error) {
    show(now);
    showError(error);
    void queryClient.invalidateQueries({ queryKey: BRAND });
  }
}

function show(brand: BrandJson | null): void {
  queryClient.setQueryData<BrandAnswerJson>(BRAND, (answer) => answer && { ...answer, brand });
}
