/**
 * Returns safe HTML with absolute URLs in its links and images, so that they work wherever it is read. Relative URLs are
 * resolved against `base`. Invalid URLs are left unchanged.
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
        // The renderer writes each source as a URL, a space and a size, followed by a comma and a space.
        const sources = value.split(', ').map((source) => source.replace(/^\S+/, whole));
        return `${start}${sources.join(', ')}"`;
      }),
  );
}
