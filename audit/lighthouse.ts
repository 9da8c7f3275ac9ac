import lighthouse, { type Result } from 'lighthouse';

/** What Lighthouse says of an address with its own settings, which are a phone's on a slow network. */
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

/** Of 100, in the order of the categories. */
export function scoresOf(lhr: Result, categories: readonly string[]): number[] {
  return categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100));
}

/** What it found wrong, of what is either right or wrong. */
export function failedAudits(lhr: Result): string[] {
  return (
    Object.values(lhr.audits)
      .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode === 'binary')
      // The package has no source maps: they would be most of its size.
      .filter(({ id }) => id !== 'valid-source-maps')
      .map(({ id, displayValue = '' }) => `lighthouse: ${id} ${displayValue}`)
  );
}
