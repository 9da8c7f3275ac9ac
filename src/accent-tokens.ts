import { contrast, fromOklch, toOklch } from './oklch.ts';

/** The contrast that WCAG 2.2 AA requires of text, and of the parts of controls. */
const MIN_TEXT_CONTRAST = 4.5;
const MIN_CONTROL_CONTRAST = 3;

export interface AccentTokens {
  /** The colour of filled areas, such as buttons: at least 3:1 against the page, or a bright colour exactly as chosen. */
  accent: string;
  /** The colour of text on `accent`: at least 4.5:1. */
  onAccent: string;
  /** The colour of links and small accents on the theme's backgrounds and on `accentSoft`: at least 4.5:1. */
  accentText: string;
  /** A tint of the accent, as a background of text. */
  accentSoft: string;
}

/**
 * Returns the colours derived from an accent `#rrggbb`. They keep its hue, and become lighter or darker only as far as
 * legibility requires.
 */
export function accentTokens(accent: string, backgrounds: readonly string[]): AccentTokens {
  const page = backgrounds[0]!;
  const onLight = contrast(page, '#000000') > contrast(page, '#ffffff');
  const direction = onLight ? -1 : 1;
  const accentSoft = tint(accent, page);
  const isBright = onLight && isBrightColour(accent);
  // A darkened bright yellow would look olive. Black text makes it legible instead.
  const fill = isBright
    ? accent.toLowerCase()
    : darkenForWhiteText(
        shiftLightness(accent, direction, (colour) =>
          backgrounds.every((on) => contrast(colour, on) >= MIN_CONTROL_CONTRAST),
        ),
      );
  return {
    accent: fill,
    onAccent: onFill(fill),
    accentText:
      isBright && isYellow(accent)
        ? YELLOW_TEXT
        : shiftLightness(accent, direction, (colour) =>
            [...backgrounds, accentSoft].every((on) => contrast(colour, on) >= MIN_TEXT_CONTRAST),
          ),
    accentSoft,
  };
}

/** From this chroma on, a bright colour is kept as chosen; greys are not. */
const MIN_BRIGHT_CHROMA = 0.09;

function isBrightColour(colour: string): boolean {
  const { lightness, chroma } = toOklch(colour);
  return lightness > MAX_LIGHTNESS_UNDER_WHITE && chroma >= MIN_BRIGHT_CHROMA;
}

/** The colour of links on yellow sites: yellow is not legible on white, and a darkened yellow looks olive. */
const YELLOW_TEXT = '#1f1b00';

/** Returns true for hues from amber to lemon. */
function isYellow(colour: string): boolean {
  const degrees = (toOklch(colour).hue * 180) / Math.PI;
  return degrees > 75 && degrees < 118;
}

/** Up to this lightness, white text looks right, and the fill is darkened slightly for it. Above it, the text is black. */
const MAX_LIGHTNESS_UNDER_WHITE = 0.68;

function darkenForWhiteText(fill: string): string {
  if (toOklch(fill).lightness > MAX_LIGHTNESS_UNDER_WHITE) return fill;
  return shiftLightness(fill, -1, (colour) => contrast(colour, '#ffffff') >= MIN_TEXT_CONTRAST);
}

/** Returns the colour of text on the fill: white if it is legible there, or else black. */
export function onFill(fill: string): string {
  return contrast(fill, '#ffffff') >= MIN_TEXT_CONTRAST ? '#ffffff' : '#000000';
}

/** Returns a tint of the accent that is almost as light as the page. */
function tint(accent: string, page: string): string {
  const { lightness } = toOklch(page);
  const { chroma, hue } = toOklch(accent);
  const shift = lightness > 0.5 ? -0.035 : 0.06;
  return fromOklch({ lightness: lightness + shift, chroma: Math.min(chroma * 0.2, 0.035), hue });
}

/** Returns the nearest lighter (`direction` 1) or darker (-1) colour that satisfies `willDo`; white or black if none does. */
function shiftLightness(colour: string, direction: 1 | -1, willDo: (colour: string) => boolean): string {
  if (willDo(colour)) return colour.toLowerCase();
  const from = toOklch(colour);
  for (let lightness = from.lightness; lightness > 0 && lightness < 1; lightness += direction * 0.01) {
    const candidate = fromOklch({ ...from, lightness });
    if (willDo(candidate)) return candidate;
  }
  return direction === 1 ? '#ffffff' : '#000000';
}
