import { useEffect, useRef } from 'react';
import { api } from '../api.ts';
import type { PreviewLookInput, PreviewPageInput } from '../contract.ts';
import classes from './preview.module.css';

/** A page with its draft, the home page with another theme, or the answer of another call of the app's API. */
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
 * Shows a page of the site in a sandboxed frame without scripts or an origin, so that nothing in the page reaches the app.
 * Loads the frame by submitting a form, because the service answers with a content security policy of its own. Each preview
 * gets a new frame, which replaces the last one when it has loaded: this avoids flicker and history entries.
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
    let isOutdated = false;
    // While a suspended screen is hidden, React clears the ref, although the element stays in the document.
    const element = place.current!;
    // A frame does not report failures, so this first makes sure that the service is reachable.
    api.session().then(
      () => {
        if (isOutdated) return;
        const frame = fill(element, { title, action: `/admin/${path}${isPlaced ? '#preview-here' : ''}`, json });
        frame.addEventListener('load', () => {
          for (const other of [...element.children]) if (other !== frame) other.remove();
          delete frame.dataset.pending;
          frame.removeAttribute('aria-hidden');
          report.current.onShown();
        });
      },
      (error: unknown) => {
        if (!isOutdated) report.current.onError(error);
      },
    );
    return () => {
      isOutdated = true;
    };
  }, [path, json, title, isPlaced]);
  return <div ref={place} className={classes.place} />;
}

let count = 0;

function fill(
  place: HTMLElement,
  { title, action, json }: { title: string; action: string; json: string },
): HTMLIFrameElement {
  // Removes a frame that is still loading an earlier preview.
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
