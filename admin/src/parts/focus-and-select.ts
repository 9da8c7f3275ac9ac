/** Has what was wrong in a field typed over by the next thing, unless one is busy with another field by then. */
export function focusAndSelect(field: HTMLInputElement | null): void {
  const at = document.activeElement;
  if (at instanceof HTMLInputElement && at !== field) return;
  field?.focus();
  field?.select();
}
