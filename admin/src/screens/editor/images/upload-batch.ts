import { ApiError } from '../../../api-error.ts';
import type { MediaJson } from '../../../contract.ts';
import { explain } from '../../../explain.ts';
import type { FailedUpload } from '../../../parts/failed-uploads.tsx';
import { queryClient } from '../../../queries.ts';
import { createStore } from '../../../store.ts';
import { strings } from '../../../strings.ts';
import { uploadImage } from '../../../upload.ts';
import classes from './uploads.module.css';

const words = strings.editor.uploads;

/** The place in a text for an image that is being uploaded. */
interface UploadPlace {
  /** Inserts the uploaded image. Returns false if its place no longer exists. */
  readonly insert: (media: MediaJson) => boolean;
  /** Removes the place, because no image will be inserted. */
  readonly remove?: () => void;
}

interface Upload {
  /** The placeholder in the editor during the upload. It is not part of the text. */
  readonly dom: HTMLElement;
  /** Resolves to true if the image was inserted. If it was not, the user has been told why. */
  readonly done: Promise<boolean>;
}

interface Entry extends UploadPlace {
  /** The position in the order in which the uploads were added. */
  readonly order: number;
  readonly file: File;
  readonly box: Box;
  readonly settle: (isDone: boolean) => void;
}

interface UploadState {
  /** How many uploads there are, how many are finished, and which fraction of the current one is sent. */
  readonly total: number;
  readonly done: number;
  readonly progress: number;
  /** The name of the current upload, or undefined if there is none. */
  readonly current: string | undefined;
  /** Images that were not uploaded, and why. They keep their places until the user retries or removes them. */
  readonly failed: readonly FailedUpload[];
  /** How many images were uploaded after their places had been deleted from the text. */
  readonly orphaned: number;
  /** How many images of the current batch have been inserted. */
  readonly inserted: number;
}

const idle: UploadState = { total: 0, done: 0, progress: 0, current: undefined, failed: [], orphaned: 0, inserted: 0 };

/** The uploads into one editor. They are sent one after the other and share one progress bar. */
export class UploadBatch {
  readonly store = createStore(idle);
  #waiting: Entry[] = [];
  #current: Entry | undefined;
  #count = 0;
  #failed = new Map<Entry, string>();
  readonly #removed = new WeakSet<Entry>();
  #stop = new AbortController();

  add(file: File, place: UploadPlace): Upload {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#count += 1;
    const box = boxOf(file.name, () => this.#leaveOut([entry]));
    const entry: Entry = { ...place, order: this.#count, file, box, settle: resolve };
    this.#waiting.push(entry);
    this.#update({ total: this.store.get().total + 1 });
    void this.#run();
    return { dom: entry.box.dom, done: promise };
  }

  /** Cancels the remaining uploads, which keep their places as failed ones. */
  readonly cancel = (): void => {
    for (const entry of this.#waiting.splice(0)) this.#fail(entry, words.cancelled);
    this.#stop.abort();
  };

  readonly retry = (): void => {
    const entries = [...this.#failed.keys()];
    this.#failed.clear();
    for (const { box } of entries) box.show(false);
    this.#waiting.push(...entries);
    this.#update({ total: this.store.get().total + entries.length });
    void this.#run();
  };

  /** Removes the places of failed uploads, and closes the notice. */
  readonly close = (): void => {
    this.#leaveOut([...this.#failed.keys()]);
    this.#update({ orphaned: 0 });
  };

  /** Aborts all uploads when the user leaves the page. */
  readonly abort = (): void => {
    this.#waiting = [];
    this.#stop.abort();
  };

  async #run(): Promise<void> {
    if (this.#current) return;
    this.#update({ inserted: 0 });
    for (let entry = this.#waiting.shift(); entry; entry = this.#waiting.shift()) {
      this.#current = entry;
      this.#stop = new AbortController();
      this.#update({ progress: 0, current: entry.file.name });
      await this.#send(entry, this.#stop.signal);
      this.#update({ done: this.store.get().done + 1 });
    }
    this.#current = undefined;
    this.#update({ total: 0, done: 0, progress: 0, current: undefined });
    void queryClient.invalidateQueries({ queryKey: ['media'] });
  }

  async #send(entry: Entry, signal: AbortSignal): Promise<void> {
    try {
      const media = await uploadImage(entry.file, { onProgress: (progress) => this.#update({ progress }), signal });
      const isThere = entry.insert(media);
      const { orphaned, inserted } = this.store.get();
      this.#update(isThere ? { inserted: inserted + 1 } : { orphaned: orphaned + 1 });
      entry.settle(isThere);
    } catch (error) {
      if (this.#removed.has(entry)) return;
      const reason = error instanceof ApiError ? explain(error) : strings.errors.unexpected;
      this.#fail(entry, signal.aborted ? words.cancelled : reason);
    }
  }

  #fail(entry: Entry, reason: string): void {
    entry.box.show(true);
    // If all uploads are cancelled, the current one fails last, although it was added first.
    const failed = [...this.#failed, [entry, reason] as const];
    this.#failed = new Map(failed.sort(([one], [other]) => one.order - other.order));
    entry.settle(false);
    this.#update({});
  }

  #leaveOut(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const wasWaiting = this.#waiting.includes(entry);
      this.#waiting = this.#waiting.filter((other) => other !== entry);
      this.#removed.add(entry);
      if (entry === this.#current) this.#stop.abort();
      this.#failed.delete(entry);
      entry.remove?.();
      entry.settle(false);
      if (wasWaiting) this.#update({ total: this.store.get().total - 1 });
    }
    this.#update({});
  }

  #update(change: Partial<UploadState>): void {
    const failed = [...this.#failed].map(([{ file }, reason]) => ({ name: file.name, reason }));
    this.store.set({ ...this.store.get(), ...change, failed });
  }
}

interface Box {
  readonly dom: HTMLElement;
  readonly show: (isFailed: boolean) => void;
}

function boxOf(name: string, onCancel: () => void): Box {
  const dom = document.createElement('span');
  dom.className = classes.box!;
  dom.contentEditable = 'false';
  const text = document.createElement('span');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '×';
  button.addEventListener('click', onCancel);
  dom.append(text, button);
  const show = (isFailed: boolean) => {
    text.textContent = isFailed ? words.failed(name) : words.label(name);
    button.setAttribute('aria-label', isFailed ? words.leaveOut(name) : words.cancel(name));
  };
  show(false);
  return { dom, show };
}
