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

/** The place of an image that is being uploaded. */
interface UploadPlace {
  /** Puts it there. Returns whether the place was still there. */
  readonly insert: (media: MediaJson) => boolean;
  /** Nothing will come. */
  readonly remove?: () => void;
}

interface Upload {
  /** The placeholder in the editor while the image is on its way. It is no part of the text. */
  readonly dom: HTMLElement;
  /** Whether it is there, once that is known. If not, people have been told why. */
  readonly done: Promise<boolean>;
}

interface Entry extends UploadPlace {
  /** In which order they came. */
  readonly order: number;
  readonly file: File;
  readonly box: Box;
  readonly settle: (isDone: boolean) => void;
}

export interface UploadState {
  /** How many there are in all, how many of them are done with, and which part of the present one is. */
  readonly total: number;
  readonly done: number;
  readonly part: number;
  /** The name of the present one; undefined while nothing is on its way. */
  readonly current: string | undefined;
  /** Images that were not uploaded, and why. They keep their places until somebody decides about them. */
  readonly failed: readonly FailedUpload[];
  /** How many have come when their place was gone from the text. */
  readonly astray: number;
  /** How many images of the current batch have been uploaded. */
  readonly come: number;
}

const idle: UploadState = { total: 0, done: 0, part: 0, current: undefined, failed: [], astray: 0, come: 0 };

/** The uploads into one editor: they are sent one after the other, with one progress for all. */
export class UploadBatch {
  readonly store = createStore(idle);
  #waiting: Entry[] = [];
  #current: Entry | undefined;
  #count = 0;
  #failed = new Map<Entry, string>();
  readonly #unwanted = new WeakSet<Entry>();
  #stop = new AbortController();

  add(file: File, place: UploadPlace): Upload {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#count += 1;
    const box = boxOf(file.name, () => this.#leaveOut([entry]));
    const entry: Entry = { ...place, order: this.#count, file, box, settle: resolve };
    this.#waiting.push(entry);
    this.#tell({ total: this.store.get().total + 1 });
    void this.#run();
    return { dom: entry.box.dom, done: promise };
  }

  /** Cancels the remaining uploads. They keep their places. */
  readonly cancel = (): void => {
    for (const entry of this.#waiting.splice(0)) this.#fail(entry, words.cancelled);
    this.#stop.abort();
  };

  readonly retry = (): void => {
    const entries = [...this.#failed.keys()];
    this.#failed.clear();
    for (const { box } of entries) box.show(false);
    this.#waiting.push(...entries);
    this.#tell({ total: this.store.get().total + entries.length });
    void this.#run();
  };

  /** Leaves out what was not uploaded, and closes the notice. */
  readonly close = (): void => {
    this.#leaveOut([...this.#failed.keys()]);
    this.#tell({ astray: 0 });
  };

  /** Gives up all uploads when the page is left. */
  readonly end = (): void => {
    this.#waiting = [];
    this.#stop.abort();
  };

  async #run(): Promise<void> {
    if (this.#current) return;
    this.#tell({ come: 0 });
    for (let entry = this.#waiting.shift(); entry; entry = this.#waiting.shift()) {
      this.#current = entry;
      this.#stop = new AbortController();
      this.#tell({ part: 0, current: entry.file.name });
      await this.#send(entry, this.#stop.signal);
      this.#tell({ done: this.store.get().done + 1 });
    }
    this.#current = undefined;
    this.#tell({ total: 0, done: 0, part: 0, current: undefined });
    void queryClient.invalidateQueries({ queryKey: ['media'] });
  }

  async #send(entry: Entry, signal: AbortSignal): Promise<void> {
    try {
      const media = await uploadImage(entry.file, { onProgress: (part) => this.#tell({ part }), signal });
      const isThere = entry.insert(media);
      const { astray, come } = this.store.get();
      this.#tell(isThere ? { come: come + 1 } : { astray: astray + 1 });
      entry.settle(isThere);
    } catch (error) {
      if (this.#unwanted.has(entry)) return;
      const reason = error instanceof ApiError ? explain(error) : strings.errors.unexpected;
      this.#fail(entry, signal.aborted ? words.cancelled : reason);
    }
  }

  #fail(entry: Entry, reason: string): void {
    entry.box.show(true);
    // When all are cancelled, the upload under way fails last although it was the first.
    const failed = [...this.#failed, [entry, reason] as const];
    this.#failed = new Map(failed.sort(([one], [other]) => one.order - other.order));
    entry.settle(false);
    this.#tell({});
  }

  #leaveOut(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const wasWaiting = this.#waiting.includes(entry);
      this.#waiting = this.#waiting.filter((other) => other !== entry);
      this.#unwanted.add(entry);
      if (entry === this.#current) this.#stop.abort();
      this.#failed.delete(entry);
      entry.remove?.();
      entry.settle(false);
      if (wasWaiting) this.#tell({ total: this.store.get().total - 1 });
    }
    this.#tell({});
  }

  #tell(change: Partial<UploadState>): void {
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
