import { isolateHistory } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import {
  type ChangeDesc,
  EditorSelection,
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import type { MediaJson } from '../../../contract.ts';
import { imagesAmong } from '../../../own-images.ts';
import { showDone } from '../../../parts/undo.tsx';
import { strings } from '../../../strings.ts';
import { type ImageInSource, imageInSource } from '../images/image-in-source.ts';
import type { ShownImage } from '../images/image-markup.ts';
import type { UploadBatch } from '../images/upload-batch.ts';
import type { WrittenImage } from '../images/written-images.ts';
import { cleanPasted } from '../visual/paste.ts';
import type { insertInLine } from './image-place.ts';

/* Uploads images into a CodeMirror editor. A widget stands for each until it is uploaded and inserted into the text. */

const addBox = StateEffect.define<{ box: HTMLElement; at: number }>({
  map: ({ box, at }, changes) => ({ box, at: changes.mapPos(at, 1) }),
});
const removeBox = StateEffect.define<HTMLElement>();

class BoxWidget extends WidgetType {
  readonly box: HTMLElement;

  constructor(box: HTMLElement) {
    super();
    this.box = box;
  }

  override eq({ box }: BoxWidget): boolean {
    return box === this.box;
  }

  toDOM(): HTMLElement {
    return this.box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const boxes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects }) {
    let now = before.map(changes);
    for (const effect of effects) {
      if (effect.is(addBox)) now = withBox(now, effect.value.box, effect.value.at);
      if (effect.is(removeBox)) now = withoutBox(before, effect.value, changes);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Returns a widget that stays before text typed at its position. */
function widget(box: HTMLElement, at: number): Range<Decoration> {
  return Decoration.widget({ widget: new BoxWidget(box), side: -1 }).range(at);
}

/** Adds a widget after those at the same position, so that images keep the order in which they were pasted. */
function withBox(before: DecorationSet, box: HTMLElement, at: number): DecorationSet {
  const all: Range<Decoration>[] = [];
  for (const cursor = before.iter(); cursor.value; cursor.next()) all.push(cursor.value.range(cursor.from));
  return Decoration.set([...all, widget(box, at)], true);
}

/** Removes a widget. The text that replaces it goes before the widgets that followed it. */
function withoutBox(before: DecorationSet, gone: HTMLElement, changes: ChangeDesc): DecorationSet {
  const others: Range<Decoration>[] = [];
  let isBehind = false;
  for (const cursor = before.iter(); cursor.value; cursor.next()) {
    const { box } = cursor.value.spec.widget;
    if (box === gone) isBehind = true;
    else others.push(widget(box, changes.mapPos(cursor.from, isBehind ? 1 : -1)));
  }
  return Decoration.set(others);
}

/** How an editor writes images in its text, and finds them there. */
export interface ImageMarkup {
  readonly write: (image: ShownImage & Partial<Pick<MediaJson, 'width' | 'height'>>) => string;
  readonly find: (state: EditorState) => WrittenImage[];
  readonly insert: typeof insertInLine;
  /** Returns the position for dropped files, if it differs from the pointer's. */
  readonly placeForFiles?: (state: EditorState, at: number) => number;
}

interface CodeUploads {
  readonly batch: UploadBatch;
  /** The address of the account's website. */
  readonly site: string;
  readonly markup: ImageMarkup;
  readonly onInserted: (media: MediaJson) => void;
  /** Called with the addresses of images that were pasted by address. */
  readonly onPasted: (sources: readonly string[]) => void;
  /** Called with the images of the text after each change. */
  readonly onImages: (images: readonly ShownImage[]) => void;
}

const hasImage = /!\[|<img\s/i;

/** Uploads images that are pasted or dropped, and inserts them as `markup` says. */
export function codeUploads({ batch, site, markup, onInserted, onPasted, onImages }: CodeUploads): Extension {
  const { write, find, insert, placeForFiles } = markup;
  const uploadFiles = (view: EditorView, event: Event, files: readonly File[], at: number) => {
    if (files.length === 0) return false;
    event.preventDefault();
    uploadIntoCode(view, batch, files, at, markup, onInserted);
    return true;
  };
  const watching = ViewPlugin.define((view) => {
    let images = find(view.state);
    onImages(images);
    return {
      update: ({ docChanged, transactions, startState, state }) => {
        // The syntax tree also changes without an edit, because a long text is parsed in the background.
        if (!docChanged && syntaxTree(startState) === syntaxTree(state)) return;
        const before = new Set(images.map(({ src }) => src));
        images = find(state);
        onImages(images);
        const isPasted = transactions.some((one) => one.isUserEvent('input.paste') || one.isUserEvent('input.drop'));
        if (isPasted) onPasted(images.map(({ src }) => src).filter((src) => !before.has(src)));
      },
    };
  });
  return [
    boxes,
    watching,
    EditorView.domEventHandlers({
      paste: (event, view) => {
        const { clipboardData } = event;
        if (!clipboardData) return false;
        const text = clipboardData.getData('text/plain').trim();
        const at = view.state.selection.main.to;
        // If the clipboard has text as well, the image is only a picture of that text.
        if (text === '' && uploadFiles(view, event, imagesAmong(clipboardData.files), at)) return true;
        const { files, foreign, lostImages } = cleanPasted(clipboardData.getData('text/html'), site);
        if (text !== '') {
          // Only the text is pasted, so images are lost unless the text has them as Markdown or HTML.
          const lost = hasImage.test(text) ? 0 : files.size + foreign.length + lostImages;
          if (lost > 0) showDone(strings.editor.lostImages(lost));
          return false;
        }
        if (lostImages > 0) showDone(strings.editor.lostImages(lostImages));
        const isTaken = uploadFiles(view, event, [...files.values()], at);
        if (foreign.length === 0) return isTaken;
        event.preventDefault();
        const cleared = view.state.update(view.state.replaceSelection(''));
        const { main } = cleared.state.selection;
        const { changes, selection } = insert(
          cleared.state,
          main.head,
          foreign.map((image) => write(image)),
        );
        view.dispatch({
          changes: cleared.changes.compose(changes),
          selection,
          annotations: isolateHistory.of('full'),
          userEvent: 'input.paste',
          scrollIntoView: true,
        });
        return true;
      },
      drop: (event, view) => {
        const { state } = view;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? state.selection.main.to;
        return uploadFiles(view, event, imagesAmong(event.dataTransfer?.files), placeForFiles?.(state, at) ?? at);
      },
    }),
  ];
}

/** Uploads images, and inserts each where its placeholder is by then. */
export function uploadIntoCode(
  view: EditorView,
  batch: UploadBatch,
  files: readonly File[],
  at: number,
  { write, insert }: ImageMarkup,
  onInserted: (media: MediaJson) => void,
): void {
  for (const file of files) {
    const { dom: box } = batch.add(file, {
      insert: (media) => {
        const from = placeOf(view.state, box);
        // The editor shows another text by now, or the place was deleted.
        if (from === undefined) return false;
        view.dispatch({
          ...insert(view.state, from, [write(media)]),
          effects: removeBox.of(box),
          // Ends the undo step: undoing the insertion must not undo the text that is typed next.
          annotations: isolateHistory.of('full'),
          userEvent: 'input',
        });
        onInserted(media);
        return true;
      },
      remove: () => view.dispatch({ effects: removeBox.of(box) }),
    });
    view.dispatch({ effects: addBox.of({ box, at }) });
  }
}

/** Uploads an image that replaces one in the text and keeps its size, side, link and caption. */
export function replaceByUpload(
  view: EditorView,
  batch: UploadBatch,
  file: File | undefined,
  { from }: ImageInSource,
  { markup, onInserted }: { markup: ImageMarkup; onInserted: (media: MediaJson) => void },
): void {
  if (!file) return;
  const { dom: box } = batch.add(file, {
    insert: (media) => {
      const at = placeOf(view.state, box);
      const selection = EditorSelection.single(at ?? 0);
      const now = imageInSource({ doc: view.state.doc, selection }, markup.find(view.state));
      // The image was deleted meanwhile, or the editor shows another text by now.
      if (at === undefined || !now) return false;
      const { src, alt, width, height } = media;
      const changes = now.change({ ...now.image, src, alt, width, height });
      view.dispatch({ effects: removeBox.of(box), changes, userEvent: 'input' });
      onInserted(media);
      return true;
    },
    remove: () => view.dispatch({ effects: removeBox.of(box) }),
  });
  view.dispatch({ effects: addBox.of({ box, at: from }) });
}

function placeOf(state: EditorState, wanted: HTMLElement): number | undefined {
  const all = state.field(boxes, false);
  for (const cursor = all?.iter(); cursor?.value; cursor.next()) {
    if (cursor.value.spec.widget.box === wanted) return cursor.from;
  }
  return undefined;
}
