/** Returns tomorrow's date on this device, as `YYYY-MM-DD`. */
export function tomorrow(): string {
  const now = new Date();
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 12);
  return [noon.getFullYear(), noon.getMonth() + 1, noon.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
