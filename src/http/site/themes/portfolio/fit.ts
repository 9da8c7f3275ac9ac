/**
 * A class that says how large words may be set: `fit-1` the largest, `fit-5` the smallest. The longest word decides,
 * since it should stay in one piece on a phone, and how much there is in all.
 */
export function fit(words: string): string {
  const longest = Math.max(...words.split(/[\s-]+/).map(width));
  const all = width(words);
  const step = [6, 9, 12, 17].findIndex((limit, index) => longest <= limit && all <= [12, 26, 44, 80][index]!);
  return `fit-${step === -1 ? 5 : step + 1}`;
}

/** In letters of the Latin script: those of Chinese, Japanese and Korean are about twice as wide. */
function width(text: string): number {
  return (
    text.length + (text.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0)
  );
}
