/** Returns a price as the service reads it. Many keyboards of phones offer a comma before the cents, and no point. */
export const priceInput = (typed: string) => typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
