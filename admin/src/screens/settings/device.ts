import { strings } from '../../strings.ts';

const words = strings.settings.you;

/** Returns the browser and the system of a user agent, roughly: enough to recognize one's own devices. */
export function deviceOf(userAgent: string): string {
  const browser = [/Edg/, /OPR|Opera/, /Firefox|FxiOS/, /Chrome|CriOS/, /Safari/].findIndex((sign) =>
    sign.test(userAgent),
  );
  const system = [/iPhone|iPad/, /Android/, /Windows/, /Mac OS/, /Linux/].findIndex((sign) => sign.test(userAgent));
  const browserName = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'][browser] ?? words.unknownBrowser;
  const systemName = ['iOS', 'Android', 'Windows', 'macOS', 'Linux'][system];
  return systemName ? words.device(browserName, systemName) : browserName;
}
