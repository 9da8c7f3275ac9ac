import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * For pages that do not live long enough to win back what compilers that optimise take. They have room for their garbage, and
 * one thread collects it: that takes less processor time than several threads that wait for each other.
 */
export const forShortLives = ['--js-flags=--no-maglev --no-turbofan --min-semi-space-size=16 --single-threaded-gc'];

/**
 * A real Chromium without a window. A run of the tests unpacks it once; elsewhere it has a folder of its own, which goes
 * when the browser is closed. `CHROMIUM_PATH` names another one to take as it is. `flags` are more of Chromium's own.
 * The caller closes it.
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (process.env.CHROMIUM_PATH) return launch(process.env.CHROMIUM_PATH, {}, flags);
  const shared = process.env.TEST_BROWSER_FOLDER;
  if (shared) return launchUnpacked(await unpackOnce(shared), flags);
  const folder = await mkdtemp(join(tmpdir(), 'freehold-chromium-'));
  // A run that is interrupted does not reach its own clean-up.
  const abandon = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', abandon);
  const clean = async () => {
    process.off('exit', abandon);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await unpack(folder);
    const browser = await launchUnpacked(folder, flags);
    const close = browser.close.bind(browser);
    browser.close = async (options) => {
      await close(options);
      await clean();
    };
    return browser;
  } catch (error) {
    await clean();
    throw error;
  }
}

/** Other processes may want it at the same moment: it comes to its place all at once, and the first one's stays. */
async function unpackOnce(shared: string): Promise<string> {
  const place = join(shared, 'chromium');
  if (existsSync(place)) return place;
  const folder = await mkdtemp(join(shared, 'unpacking-'));
  await unpack(folder);
  await rename(folder, place).catch(() => rm(folder, { recursive: true }));
  return place;
}

/** With the libraries of a desktop, for machines that have none. */
async function unpack(folder: string): Promise<void> {
  const archive = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')));
  await Promise.all([within(folder, () => packed.executablePath()), within(folder, () => inflate(archive))]);
}

async function launchUnpacked(folder: string, flags: readonly string[]): Promise<Browser> {
  const path = join(folder, 'chromium');
  // A machine without fonts of its own gets those that come with the browser.
  const fonts: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
    ? {}
    : { FONTCONFIG_PATH: join(folder, 'fonts') };
  try {
    return await launch(path, fonts, flags);
  } catch (error) {
    if (!String(error).includes('error while loading shared libraries')) throw error;
    return launch(path, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }, flags);
  }
}

/** The package unpacks to wherever temporary files go, which it asks for at once, and takes what others left there. */
function within<T>(folder: string, start: () => T): T {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return start();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

function launch(
  executablePath: string,
  environment: Record<string, string>,
  flags: readonly string[],
): Promise<Browser> {
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...environment } as Record<string, string>,
    // Not the package's own flags: they turn off what a browser protects its users with, which is part of the tests.
    // Root and containers cannot have the sandbox; what is shown here is our own.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--hide-scrollbars',
      '--font-render-hinting=none',
      ...flags,
    ],
  });
}
