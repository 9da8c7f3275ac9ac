import { unreachable } from './api-error.ts';

/** A part of the app could not be loaded because the service has been updated to another version. */
export class NewVersionError extends Error {}

/**
 * Imports a part of the app that is in a file of its own. Detects an update of the service, which deletes the files of the
 * version in an open tab.
 * @throws NewVersionError after an update, or ApiError if the service cannot be reached
 */
export async function loadPart<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch {
    throw (await hasNewVersion()) ? new NewVersionError() : unreachable();
  }
}

/** True if the service's page refers to another main script than the one that is running. */
async function hasNewVersion(): Promise<boolean> {
  try {
    const page = await fetch(location.pathname, { headers: { Accept: 'text/html' } });
    const html = await page.text();
    return page.ok && html.includes(FOLDER) && !html.includes(ownScript());
  } catch {
    return false;
  }
}

/** The path of built scripts. An answer without it comes from a proxy or portal in front of the service. */
const FOLDER = '/-/app/';

function ownScript(): string {
  return document.querySelector('script[type=module]')!.getAttribute('src')!;
}

const UPDATED_FROM = 'app:updated-from';

/** Reloads the page to get the new version. Does nothing if the last reload led to this version again. */
export function reloadOnce(): void {
  try {
    if (sessionStorage.getItem(UPDATED_FROM) === ownScript()) return;
    sessionStorage.setItem(UPDATED_FROM, ownScript());
  } catch {
    // Without storage, a repeated reload could not be detected.
    return;
  }
  location.reload();
}
