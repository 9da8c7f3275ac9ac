import { contrast, fromOklch, toOklch } from './oklch.ts';

/** WCAG 2.2 AA for text, and for the parts of controls. */
const MIN_TEXT_CONTRAST = 4.5;
const MIN_CONTROL_CONTRAST = 3;

export interface AccentTokens {
  /** Filled areas, such as buttons: at least 3:1 against the page, or a bright colour as it was chosen. */
  accent: string;
  /** Text on `accent`: at least 4.5:1. */
  onAccent: string;
  /** Links and small accents on the theme's backgrounds and on `accentSoft`: at least 4.5:1. */
  accentText: string;
  /** A hint of the accent, to put text on. */
  accentSoft: string;
}

/** Whatever `#rrggbb` was chosen keeps its hue and becomes lighter or darker as far as it must to be read. */
export function accentTokens(accent: string, backgrounds: readonly string[]): AccentTokens {
  const page = backgrounds[0]!;
  const onLight = contrast(page, '#000000') > contrast(page, '#ffffff');
  const direction = onLight ? -1 : 1;
  const accentSoft = soft(accent, page);
  const isBright = onLight && isBrightColour(accent);
  // Darkened, a bright yellow is olive: black text makes it legible instead.
  const fill = isBright
    ? accent.toLowerCase()
    : filled(
        moved(accent, direction, (colour) => backgrounds.every((on) => contrast(colour, on) >= MIN_CONTROL_CONTRAST)),
      );
  return {
    accent: fill,
    onAccent: onFill(fill),
    accentText:
      isBright && isYellow(accent)
        ? YELLOW_TEXT
        : moved(accent, direction, (colour) =>
            [...backgrounds, accentSoft].every((on) => contrast(colour, on) >= MIN_TEXT_CONTRAST),
          ),
    accentSoft,
  };
}

/** Colours this bright are a part of what they are; greys are not. */
const MIN_BRIGHT_CHROMA = 0.09;

function isBrightColour(colour: string): boolean {
  const { lightness, chroma } = toOklch(colour);
  return lightness > MAX_LIGHTNESS_UNDER_WHITE && chroma >= MIN_BRIGHT_CHROMA;
}

/** Links of a yellow site on white: yellow is not legible there, and olive is not yellow. */
const YELLOW_TEXT = '#1f1b00';

/** From amber to lemon. */
function isYellow(colour: string): boolean {
  const degrees = (toOklch(colour).hue * 180) / Math.PI;
  return degrees > 75 && degrees < 118;
}

/** White text looks right up to this lightness, and the fill is darkened a little for it; above it the text is black. */
const MAX_LIGHTNESS_UNDER_WHITE = 0.68;

function filled(fill: string): string {
  if (toOklch(fill).lightness > MAX_LIGHTNESS_UNDER_WHITE) return fill;
  return moved(fill, -1, (colour) => contrast(colour, '#ffffff') >= MIN_TEXT_CONTRAST);
}

/** Returns the colour of text on the fill: white, if it is legible there. */
export function onFill(fill: string): string {
  return contrast(fill, '#ffffff') >= MIN_TEXT_CONTRAST ? '#ffffff' : '#000000';
}

/** The page's own lightness, nearly, in the accent's hue. */
function soft(accent: string, page: string): string {
  const { lightness } = toOklch(page);
  const { chroma, hue } = toOklch(accent);
  const shift = lightness > 0.5 ? -0.035 : 0.06;
  return fromOklch({ lightness: lightness + shift, chroma: Math.min(chroma * 0.2, 0.035), hue });
}

/** The nearest colour in that direction, lighter (1) or darker (-1), that will do; black or white where none else does. */
function moved(colour: string, direction: 1 | -1, willDo: (colour: string) => boolean): string {
  if (willDo(colour)) return colour.toLowerCase();
  const from = toOklch(colour);
  for (let lightness = from.lightness; lightness > 0 && lightness < 1; lightness += direction * 0.01) {
    const candidate = fromOklch({ ...from, lightness });
    if (willDo(candidate)) return candidate;
  }
  return direction === 1 ? '#ffffff' : '#000000';
}
