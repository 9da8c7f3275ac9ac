/** How many mistakes per letter still suggest a name: `acuont` suggests `account`, and `keys` suggests `key`. */
const MISTAKES_PER_LETTER = 1 / 3;
/** With more mistakes, another command would often be as close. */
const MAX_MISTAKES = 2;

/** Returns the name that was probably meant; undefined if none is close. */
export function closestCommand(typed: string, names: readonly string[]): string | undefined {
  let closest: string | undefined;
  let fewest = Math.min(MAX_MISTAKES, Math.floor(typed.length * MISTAKES_PER_LETTER)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - typed.length) >= fewest) continue;
    const mistakes = countMistakes(typed.toLowerCase(), name);
    if (mistakes < fewest) [closest, fewest] = [name, mistakes];
  }
  return closest;
}

/** Counts the letters that are missing, surplus, wrong, or swapped with their neighbour. */
function countMistakes(typed: string, name: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: name.length + 1 }, (_, column) => column);
  for (let row = 1; row <= typed.length; row++) {
    const current = [row];
    for (let column = 1; column <= name.length; column++) {
      const isSame = typed[row - 1] === name[column - 1];
      const isSwapped = typed[row - 1] === name[column - 2] && typed[row - 2] === name[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[name.length]!;
}
