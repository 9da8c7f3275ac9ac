import { type RefObject, useEffect, useRef } from 'react';

/** Publishes the height of the element that takes the ref as a custom property, for elements that stick below it. */
export function usePublishedHeight(property: `--app-${string}`): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(property, `${element.current?.offsetHeight ?? 0}px`));
    observer.observe(element.current!);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  }, [property]);
  return element;
}
