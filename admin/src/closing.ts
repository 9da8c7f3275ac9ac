let closing = false;

/** True while the tab is being closed or leaves the app: requests must then use keepalive to complete. */
export function isClosing(): boolean {
  return closing;
}

export function markClosing(): void {
  closing = true;
}
