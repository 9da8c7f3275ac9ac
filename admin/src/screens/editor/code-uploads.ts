import { syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import type { MediaJson } from '../../contract.ts';
import { imagesAmong } from '../../media.ts';
import { showDone } from '../../parts/undo.tsx';
import { strings } from '../../strings.ts';
import { type UploadBox, uploadBox } from './upload-box.ts';
import { cleanPasted } from './visual-paste.ts';
import type { ShownImage, WrittenImage } from './written-images.ts';

/* Images on their way into an editor of text. What stands for them is a widget: the text has them when they are there. */

const add = StateEffect.define<{ box: UploadBox; at: number }>({
  map: ({ box, at }, changes) => ({ box, at: changes.mapPos(at, 1) }),
});
const remove = StateEffect.define<UploadBox>();

class BoxWidget extends WidgetType {
  readonly box: UploadBox;

  constructor(box: UploadBox) {
    super();
    this.box = box;
  }

  override eq({ box }: BoxWidget): boolean {
    return box === this.box;
  }

  toDOM(): HTMLElement {
    return this.box.dom;
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
      if (effect.is(add)) {
        const { box, at } = effect.value;
        now = now.update({ add: [Decoration.widget({ widget: new BoxWidget(box), side: 1 }).range(at)] });
      }
      if (effect.is(remove)) now = now.update({ filter: (_from, _to, { spec }) => spec.widget.box !== effect.value });
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const hasImage = /!\[|<img\s/i;

/** Whoever leaves the page does not want them any more. */
const cancelling = ViewPlugin.define((view) => ({
  destroy: () => eachBox(view.state, ({ cancel }) => cancel()),
}));

/** How images are written in a text, and found in it. */
export interface ImageSigns {
  readonly write: (image: ShownImage & Partial<Pick<MediaJson, 'width' | 'height'>>) => string;
  readonly find: (state: EditorState) => WrittenImage[];
}

interface CodeUploads {
  /** The address of the person's own website. */
  readonly site: string;
  readonly signs: ImageSigns;
  readonly onInserted: (media: MediaJson) => void;
  /** Images were pasted that have addresses: these. */
  readonly onPasted: (sources: readonly string[]) => void;
  /** What images there are now. */
  readonly onImages: (images: readonly ShownImage[]) => void;
}

/** Takes images that are pasted or dropped, and puts in what `write` makes of each. */
export function codeUploads({ site, signs, onInserted, onPasted, onImages }: CodeUploads): Extension {
  const { write, find } = signs;
  const take = (view: EditorView, event: Event, files: readonly File[], at: number) => {
    if (files.length === 0) return false;
    event.preventDefault();
    uploadIntoCode(view, files, at, write, onInserted);
    return true;
  };
  const watching = ViewPlugin.define((view) => {
    let images = find(view.state);
    onImages(images);
    return {
      update: ({ docChanged, transactions, startState, state }) => {
        // A long text is read little by little.
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
    cancelling,
    watching,
    EditorView.domEventHandlers({
      paste: (event, view) => {
        const { clipboardData } = event;
        if (!clipboardData) return false;
        const text = clipboardData.getData('text/plain').trim();
        const at = view.state.selection.main.to;
        // Where there is text as well, the image is only a picture of it.
        if (text === '' && take(view, event, imagesAmong(clipboardData.files), at)) return true;
        const { files, foreign, lostImages } = cleanPasted(clipboardData.getData('text/html'), site);
        if (text !== '') {
          // Of what is pasted here the text alone comes in: images are only in it as Markdown or HTML.
          const lost = hasImage.test(text) ? 0 : files.size + foreign.length + lostImages;
          if (lost > 0) showDone(strings.editor.lostImages(lost));
          return false;
        }
        if (lostImages > 0) showDone(strings.editor.lostImages(lostImages));
        const isTaken = take(view, event, [...files.values()], at);
        if (foreign.length === 0) return isTaken;
        event.preventDefault();
        view.dispatch({ ...view.state.replaceSelection(foreign.map(write).join('\n\n')), userEvent: 'input.paste' });
        return true;
      },
      drop: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.to;
        return take(view, event, imagesAmong(event.dataTransfer?.files), at);
      },
    }),
  ];
}

/** Uploads images, and puts each where its place has come to be. */
export function uploadIntoCode(
  view: EditorView,
  files: readonly File[],
  at: number,
  write: ImageSigns['write'],
  onInserted: (media: MediaJson) => void,
): void {
  for (const file of files) {
    const box = uploadBox(file);
    view.dispatch({ effects: add.of({ box, at }) });
    void box.done.then((media) => {
      const from = placeOf(view.state, box);
      // The editor is gone, or shows another text.
      if (from === undefined) return;
      const insert = media && write(media);
      view.dispatch({
        effects: remove.of(box),
        ...(insert && { changes: { from, insert }, userEvent: 'input' }),
      });
      if (media) onInserted(media);
    });
  }
}

function placeOf(state: EditorState, wanted: UploadBox): number | undefined {
  let place: number | undefined;
  eachBox(state, (box, at) => {
    if (box === wanted) place = at;
  });
  return place;
}

function eachBox(state: EditorState, visit: (box: UploadBox, at: number) => void): void {
  const all = state.field(boxes, false);
  for (const cursor = all?.iter(); cursor?.value; cursor.next()) visit(cursor.value.spec.widget.box, cursor.from);
}
