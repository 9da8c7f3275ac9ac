/** The currency of the account's prices, or null if none has been chosen. */
let currency: string | null = null;

/** Sets the signed-in account's currency for all amounts from now on. */
export function setCurrency(code: string | null): void {
  currency = code;
}

/** Formats an amount in the account's currency with two decimals, like its prices. */
export function money(units: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (currency === null) return units.toLocaleString('en-GB', digits);
  return units.toLocaleString('en-GB', { style: 'currency', currency, ...digits });
}
