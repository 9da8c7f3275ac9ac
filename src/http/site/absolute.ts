/**
 * Returns safe HTML whose links and images work wherever it is read: URLs are made absolute, relative to the page's
 * own. Invalid URLs stay as they are.
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
        // Bodies are rendered with a URL, a space, a size, and a comma with a space before the next.
        const sources = value.split(', ').map((source) => source.replace(/^\S+/, whole));
        return `${start}${sources.join(', ')}"`;
      }),
  );
}
