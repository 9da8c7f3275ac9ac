import type { MediaSettings, MediaStore } from './store.ts';

/** Opens the configured store; its library is loaded with the first image. */
export function openMediaStore(config: MediaSettings): MediaStore {
  let store: Promise<MediaStore> | undefined;
  const load = async (): Promise<MediaStore> => {
    if (config.mediaS3Url === '') return (await import('./file-store.ts')).fileStore(config.dataDir);
    return (await import('./s3-store.ts')).s3Store(config);
  };
  const loaded = () => {
    store ??= load();
    return store;
  };
  return {
    put: async (key, bytes) => (await loaded()).put(checked(key), bytes),
    copy: async (pairs) =>
      (await loaded()).copy(pairs.map(({ from, to }) => ({ from: checked(from), to: checked(to) }))),
    open: async (key) => (await loaded()).open(checked(key)),
    remove: async (keys) => (await loaded()).remove(keys.map(checked)),
    list: async function* () {
      yield* (await loaded()).list();
    },
  };
}

/** Keys come from the database, and that may come from a backup of anybody's: none may lead out of the store. */
function checked(key: string): string {
  if (!/^\d{1,16}\/[\w-]{1,80}\/\w[\w-]{0,80}\.\w{1,8}$/.test(key)) throw new Error(`"${key}" is no key of an image.`);
  return key;
}
