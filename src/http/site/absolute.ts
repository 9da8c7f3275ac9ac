/**
 * Safe HTML whose links and images work wherever it is read: their addresses are made absolute, as seen from the page's
 * own. What is no address stays as it is.
 */
export function absolute(html: string, base: string): string {
  const whole = (value: string): string => {
    const address = value.replaceAll('&amp;', '&');
    if (!URL.canParse(address, base)) return value;
    return new URL(address, base).href.replaceAll('&', '&amp;').replaceAll('"', '%22');
  };
  return html.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag
      .replace(
        /(\s(?:href|src|poster|cite)=")([^"]*)"/gi,
        (_, start: string, value: string) => `${start}${whole(value)}"`,
      )
      .replace(/(\ssrcset=")([^"]*)"/gi, (_, start: string, value: string) => {
        // As bodies are written: an address, a space, a size, and a comma with a space before the next.
        const sources = value.split(', ').map((source) => source.replace(/^\S+/, whole));
        return `${start}${sources.join(', ')}"`;
      }),
  );
}
