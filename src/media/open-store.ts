import type { MediaSettings, MediaStore } from './store.ts';

/** Opens the configured store. Its library is loaded when the first image is stored or read. */
export function openMediaStore(config: MediaSettings): MediaStore {
  let store: Promise<MediaStore> | undefined;
  const load = async (): Promise<MediaStore> => {
    if (config.mediaS3Url === '') return (await import('./file-store.ts')).fileStore(config.dataDir);
    return (await import('./s3-store.ts')).s3Store(config);
  };
  const loadedStore = () => {
    store ??= load();
    return store;
  };
  return {
    put: async (key, bytes) => (await loadedStore()).put(checkedKey(key), bytes),
    copy: async (pairs) =>
      (await loadedStore()).copy(pairs.map(({ from, to }) => ({ from: checkedKey(from), to: checkedKey(to) }))),
    open: async (key) => (await loadedStore()).open(checkedKey(key)),
    remove: async (keys) => (await loadedStore()).remove(keys.map(checkedKey)),
    list: async function* () {
      yield* (await loadedStore()).list();
    },
  };
}

/**
 * Checks that a key does not lead out of the store. Keys come from the database, which may be restored from a forged backup.
 */
function checkedKey(key: string): string {
  if (!/^\d{1,16}\/[\w-]{1,80}\/\w[\w-]{0,80}\.\w{1,8}$/.test(key))
    throw new Error(`"${key}" is not the key of an image.`);
  return key;
}
