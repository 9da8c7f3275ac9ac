import { editorClasses } from '../../../body-vocabulary.ts';

/* An image's size and side are classes of its figure, which the themes style. */

export const imageSizes = ['small', 'normal', 'wide', 'full'] as const;
export type ImageSize = (typeof imageSizes)[number];

export const imageSides = ['left', 'center', 'right'] as const;
export type ImageSide = (typeof imageSides)[number];

export interface ImageLayout {
  readonly size: ImageSize;
  readonly side: ImageSide | undefined;
}

const sizeClasses: Readonly<Record<ImageSize, string | undefined>> = {
  small: 'image-small',
  normal: undefined,
  wide: 'image-wide',
  full: 'image-full',
};

const sideClasses: Readonly<Record<ImageSide, string>> = {
  left: 'float-left',
  center: 'align-center',
  right: 'float-right',
};

const layoutClasses = new Set<unknown>([...Object.values(sizeClasses), ...Object.values(sideClasses)]);

/** True if an image of this size leaves room at its sides. */
export function hasSides(size: ImageSize): boolean {
  return size === 'small' || size === 'normal';
}

/** Reads the layout from a `class` attribute. Understands the classes of other programs, too. */
export function layoutOf(className: string | null): ImageLayout {
  const names = new Set(wordsOf(className).map(canonicalClass));
  return {
    size: imageSizes.find((size) => names.has(sizeClasses[size] ?? '')) ?? 'normal',
    side: imageSides.find((side) => names.has(sideClasses[side])),
  };
}

/** Returns the `class` attribute with another layout, or null if it would be empty. */
export function withLayout(className: string | null, { size, side }: ImageLayout): string | null {
  const others = wordsOf(className).filter((name) => !layoutClasses.has(canonicalClass(name)));
  const names = [sizeClasses[size], hasSides(size) && side && sideClasses[side], ...others];
  return names.filter(Boolean).join(' ') || null;
}

function wordsOf(className: string | null): string[] {
  return (className ?? '').split(/\s+/).filter(Boolean);
}

function canonicalClass(name: string): string {
  return editorClasses.get(name) ?? name;
}
