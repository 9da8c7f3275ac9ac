import { unreachable } from './api-error.ts';

/** A part of the app could not be loaded because the service has another version of the app by now. */
export class NewVersionError extends Error {}

/**
 * Imports a part of the app that has a file of its own. An update of the service takes away the files of the version that
 * an open tab runs.
 * @throws NewVersionError; ApiError where the service cannot be reached
 */
export async function loadPart<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch {
    throw (await hasNewVersion()) ? new NewVersionError() : unreachable();
  }
}

/** Whether the service's page names another script than the one that runs here. */
async function hasNewVersion(): Promise<boolean> {
  try {
    const page = await fetch(location.pathname, { headers: { Accept: 'text/html' } });
    const html = await page.text();
    return page.ok && html.includes(FOLDER) && !html.includes(ownScript());
  } catch {
    return false;
  }
}

/** Where the build puts scripts: an answer without it comes from something between here and the service. */
const FOLDER = '/-/app/';

function ownScript(): string {
  return document.querySelector('script[type=module]')!.getAttribute('src')!;
}

const UPDATED_FROM = 'app:updated-from';

/** Reloads the page for the new version. Where that has just led to this one again, somebody has to ask for it. */
export function reloadOnce(): void {
  try {
    if (sessionStorage.getItem(UPDATED_FROM) === ownScript()) return;
    sessionStorage.setItem(UPDATED_FROM, ownScript());
  } catch {
    // Without storage it would not be known that it has led here again.
    return;
  }
  location.reload();
}
