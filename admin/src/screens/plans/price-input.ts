/** Returns a price in the form of the service. Many phone keyboards offer only a comma before the cents. */
export const priceInput = (typed: string) => typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
