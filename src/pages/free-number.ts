/** Numbers up to this one are tried one by one, so that `-2`, `-3`, … have no gaps as long as there are few. */
const MAX_DENSE = 20;

/** How many numbers one query checks. */
const NUMBERS_PER_QUERY = 32;

/**
 * Finds a free number from 2 up: the lowest one up to 20; above 20, one whose predecessor is taken. Without gaps, this is the
 * next number. If pages in between were deleted, it may be in any gap, since finding the lowest would mean reading all.
 *
 * The search doubles the number until one is free, then narrows the range, 32 numbers a query: five queries for the 16,000th
 * page of one name, seven for the millionth.
 * @param takenOf returns which of the numbers are taken, in one query
 */
export async function freeNumber(takenOf: (numbers: number[]) => Promise<ReadonlySet<number>>): Promise<number> {
  /** Returns the first free number of the list, and the taken one before it. */
  const narrow = async (numbers: number[]) => {
    const taken = await takenOf(numbers);
    const index = numbers.findIndex((number) => !taken.has(number));
    return { taken: numbers[index - 1], free: numbers[index] };
  };

  const { free: dense } = await narrow(Array.from({ length: MAX_DENSE - 1 }, (_, index) => index + 2));
  if (dense !== undefined) return dense;

  // The highest number is 20 × 2^32, more pages than a database can hold, so one is always free.
  const doubled = await narrow(Array.from({ length: NUMBERS_PER_QUERY }, (_, index) => MAX_DENSE * 2 ** (index + 1)));
  let taken = doubled.taken ?? MAX_DENSE;
  let free = doubled.free!;
  while (free - taken > 1) {
    const step = Math.ceil((free - taken) / (NUMBERS_PER_QUERY + 1));
    const between: number[] = [];
    for (let number = taken + step; number < free; number += step) between.push(number);
    const narrowed = await narrow(between);
    free = narrowed.free ?? free;
    taken = narrowed.taken ?? (narrowed.free === undefined ? between.at(-1)! : taken);
  }
  return free;
}
