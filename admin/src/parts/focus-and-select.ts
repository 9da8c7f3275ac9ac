/** Focuses a field and selects its text, so that typing replaces it. Does nothing if the user is in another field by then. */
export function focusAndSelect(field: HTMLInputElement | null): void {
  const at = document.activeElement;
  if (at instanceof HTMLInputElement && at !== field) return;
  field?.focus();
  field?.select();
}
