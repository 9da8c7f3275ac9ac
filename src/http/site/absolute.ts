/**
 * Safe HTML whose links and images work wherever it is read: their addresses are made absolute, as seen from the page's
 * own. What is no address stays as it is.
 */
export function absolute(html: string, base: string): string {
  return html.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replace(/(\s(?:href|src|poster|cite)=")([^"]*)"/gi, (all, start: string, value: string) => {
      const address = value.replaceAll('&amp;', '&');
      if (!URL.canParse(address, base)) return all;
      return `${start}${new URL(address, base).href.replaceAll('&', '&amp;').replaceAll('"', '%22')}"`;
    }),
  );
}
