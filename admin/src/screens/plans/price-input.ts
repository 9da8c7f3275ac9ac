/** Returns a price as the API expects it. Many phone keyboards offer only a comma before the cents. */
export const priceInput = (typed: string) => typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
