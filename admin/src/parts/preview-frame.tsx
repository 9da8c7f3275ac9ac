import { useEffect, useRef } from 'react';
import { api } from '../api.ts';
import type { PreviewLookInput, PreviewPageInput } from '../contract.ts';
import classes from './preview.module.css';

/** A page with its draft, the home page in another look, or what another call of the app's surface answers with. */
export type Previewed =
  | { readonly call: string; readonly input: object }
  | { readonly page: number; readonly input: PreviewPageInput }
  | { readonly input: PreviewLookInput };

interface PreviewFrameProps {
  readonly title: string;
  readonly previewed: Previewed;
  readonly onShown: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * A page of the site in a frame in which no script runs and which has no origin: nothing that stands in a page reaches
 * this app. The service answers it by a policy of its own, so it takes a form to fill the frame. Each preview gets a new
 * frame, which takes the place of the last one when it is there: nothing flickers, and nothing is added to the history.
 */
export function PreviewFrame({ title, previewed, onShown, onError }: PreviewFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const report = useRef({ onShown, onError });
  report.current = { onShown, onError };
  const path =
    'call' in previewed ? previewed.call : 'page' in previewed ? `pages/${previewed.page}/preview` : 'site-preview';
  const json = JSON.stringify(previewed.input);
  const isPlaced = 'at' in previewed.input && previewed.input.at !== undefined;
  useEffect(() => {
    let isOld = false;
    // React takes the element out of the ref while a screen that loads more code is hidden, though it stays in the document.
    const element = place.current!;
    // A frame does not tell whether it shows what it should: first it is made sure that the service can be reached.
    api.session().then(
      () => {
        if (isOld) return;
        const frame = fill(element, { title, action: `/admin/${path}${isPlaced ? '#preview-here' : ''}`, json });
        frame.addEventListener('load', () => {
          for (const other of [...element.children]) if (other !== frame) other.remove();
          delete frame.dataset.pending;
          frame.removeAttribute('aria-hidden');
          report.current.onShown();
        });
      },
      (error: unknown) => {
        if (!isOld) report.current.onError(error);
      },
    );
    return () => {
      isOld = true;
    };
  }, [path, json, title, isPlaced]);
  return <div ref={place} className={classes.place} />;
}

let count = 0;

function fill(
  place: HTMLElement,
  { title, action, json }: { title: string; action: string; json: string },
): HTMLIFrameElement {
  // One that was on its way is of no use any more.
  for (const pending of place.querySelectorAll('[data-pending]')) pending.remove();
  count += 1;
  const frame = document.createElement('iframe');
  frame.name = `preview-${count}`;
  frame.title = title;
  frame.setAttribute('sandbox', '');
  frame.setAttribute('aria-hidden', 'true');
  frame.dataset.pending = '';
  place.append(frame);
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.target = frame.name;
  form.hidden = true;
  const field = document.createElement('input');
  field.name = 'json';
  field.value = json;
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
  return frame;
}
