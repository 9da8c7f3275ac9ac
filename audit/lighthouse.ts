import lighthouse, { type Result } from 'lighthouse';

/** Runs Lighthouse on an address with its default settings: a phone on a slow network. */
export async function askLighthouse(
  url: string,
  options: { port: number; categories: readonly string[]; cookie?: string | undefined },
): Promise<Result> {
  const { port, categories, cookie } = options;
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: [...categories],
    ...(cookie && { extraHeaders: { Cookie: cookie } }),
  });
  return result!.lhr;
}

/** Returns the scores, out of 100, in the order of the categories. */
export function scoresOf(lhr: Result, categories: readonly string[]): number[] {
  return categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100));
}

/** Returns the failed audits among those that either pass or fail. */
export function failedAudits(lhr: Result): string[] {
  return (
    Object.values(lhr.audits)
      .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode === 'binary')
      // The package contains no source maps, which would be most of its size.
      .filter(({ id }) => id !== 'valid-source-maps')
      .map(({ id, displayValue = '' }) => `lighthouse: ${id} ${displayValue}`)
  );
}
