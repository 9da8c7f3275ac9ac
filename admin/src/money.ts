/** The currency of the account's prices; null until somebody has chosen one. */
let currency: string | null = null;

/** Sets the currency of the signed-in account: every amount that is written from now on has it. */
export function setCurrency(code: string | null): void {
  currency = code;
}

/** Writes an amount of the account's own currency with two decimals, as prices have them. */
export function money(units: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (currency === null) return units.toLocaleString('en-GB', digits);
  return units.toLocaleString('en-GB', { style: 'currency', currency, ...digits });
}
