/**
 * Returns a class for the size of a title: `fit-1` is the largest, `fit-5` the smallest. It depends on the longest word,
 * which should not be broken on a phone, and on the length of the whole text.
 */
export function fit(words: string): string {
  const longest = Math.max(...words.split(/[\s-]+/).map(width));
  const all = width(words);
  const step = [6, 9, 12, 17].findIndex((limit, index) => longest <= limit && all <= [12, 26, 44, 80][index]!);
  return `fit-${step === -1 ? 5 : step + 1}`;
}

/** Returns the width in Latin letters. Chinese, Japanese and Korean characters are about twice as wide. */
function width(text: string): number {
  return (
    text.length + (text.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0)
  );
}
