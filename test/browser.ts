import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * Flags for pages that are too short-lived to win back the time that optimizing compilers take. A large young generation and a
 * single thread for garbage collection take less processor time than several threads that wait for each other.
 */
export const forShortLives = ['--js-flags=--no-maglev --no-turbofan --min-semi-space-size=16 --single-threaded-gc'];

/**
 * Starts a real Chromium without a window; the caller closes it. A test run unpacks Chromium once. Outside a run it is unpacked
 * to a folder that is deleted when the browser closes. `CHROMIUM_PATH` names another Chromium to use. `flags` are further
 * flags for Chromium.
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (process.env.CHROMIUM_PATH) return launch(process.env.CHROMIUM_PATH, {}, flags);
  const shared = process.env.TEST_BROWSER_FOLDER;
  if (shared) return launchUnpacked(await unpackOnce(shared), flags);
  const folder = await mkdtemp(join(tmpdir(), 'freehold-chromium-'));
  // An interrupted run does not reach its clean-up below.
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

/** Unpacks Chromium once for all processes of a run. The rename is atomic; the first process to finish wins. */
async function unpackOnce(shared: string): Promise<string> {
  const place = join(shared, 'chromium');
  if (existsSync(place)) return place;
  const folder = await mkdtemp(join(shared, 'unpacking-'));
  await unpack(folder);
  await rename(folder, place).catch(() => rm(folder, { recursive: true }));
  return place;
}

/** Unpacks Chromium and the desktop libraries that some machines lack. */
async function unpack(folder: string): Promise<void> {
  const archive = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')));
  await Promise.all([within(folder, () => packed.executablePath()), within(folder, () => inflate(archive))]);
}

async function launchUnpacked(folder: string, flags: readonly string[]): Promise<Browser> {
  const path = join(folder, 'chromium');
  // A machine without fonts uses those that come with the package.
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

/**
 * Sets TMPDIR while `start` runs. The package unpacks to TMPDIR, which it reads synchronously, and reuses any files that it
 * finds there.
 */
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
    // The package's own flags are not used: they turn off protections that are under test. The sandbox does not work for root
    // or in containers, and only our own pages are shown.
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
