let closing = false;

/** Whether the tab is being closed or leaves the app: requests that are not kept alive would end with it. */
export function isClosing(): boolean {
  return closing;
}

export function noteClosing(): void {
  closing = true;
}
