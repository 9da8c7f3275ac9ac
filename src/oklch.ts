/*
 * Converts colours to perceived lightness, chroma and hue, using the polar form of Björn Ottosson's OKLab
 * (https://bottosson.github.io/posts/oklab/). Contrast is that of WCAG 2.2.
 */

interface Oklch {
  /** From 0 to 1. */
  lightness: number;
  /** From 0 to about 0.32 in sRGB. */
  chroma: number;
  /** In radians. */
  hue: number;
}

type Triple = readonly [number, number, number];

/** Converts from `#rrggbb`. */
export function toOklch(colour: string): Oklch {
  const [red, green, blue] = linear(colour);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** Converts to `#rrggbb`. Reduces the chroma of colours outside sRGB; lightness and hue stay. */
export function fromOklch(colour: Oklch): string {
  let fitting = colour;
  let [possible, impossible] = [0, colour.chroma];
  if (!isShown(toLinear(colour))) {
    for (let step = 0; step < 12; step++) {
      const chroma = (possible + impossible) / 2;
      if (isShown(toLinear({ ...colour, chroma }))) possible = chroma;
      else impossible = chroma;
    }
    fitting = { ...colour, chroma: possible };
  }
  return '#' + toLinear(fitting).map(encoded).join('');
}

/** Returns the contrast of two colours `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = linear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(colour: string): Triple {
  const value = Number.parseInt(colour.slice(1), 16);
  return [decoded(value >> 16), decoded((value >> 8) & 255), decoded(value & 255)];
}

function toLinear({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function isShown(colour: Triple): boolean {
  return colour.every((value) => value > -0.0005 && value < 1.0005);
}

function decoded(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encoded(value: number): string {
  const inside = Math.min(1, Math.max(0, value));
  const byte = Math.round(255 * (inside <= 0.0031308 ? 12.92 * inside : 1.055 * inside ** (1 / 2.4) - 0.055));
  return byte.toString(16).padStart(2, '0');
}
