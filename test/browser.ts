import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A real Chromium without a window. Whoever launches it closes it. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // Not the package's own flags: they turn off what a browser protects its users with, which is part of the test.
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--font-render-hinting=none', ...flags],
  });
}
