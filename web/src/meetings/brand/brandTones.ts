/**
 * Display tones of a brand's color. The chosen color may be illegible, so the tones keep its hue and move towards black
 * or white as far as WCAG 2.2 requires (1.4.3, 1.4.11).
 */
export interface BrandTones {
  /** Line or surface next to the app's surfaces: contrast 3:1 against all of them. */
  readonly line: string;
  /** Text on `line`: contrast 4.5:1. */
  readonly onLine: string;
}

export type Scheme = 'light' | 'dark';

/** Surfaces in ui/tokens.css below the tones, from page to overlay. */
export const surfaces: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#f5f3ef', '#fbfaf8', '#ffffff', '#edeae4'],
  dark: ['#151311', '#1a1816', '#24211e', '#2a2724', '#110f0e'],
};

type Rgb = readonly [number, number, number];

function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

const hexOf = (rgb: Rgb) => `#${rgb.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`;

/** Returns the relative luminance as WCAG defines it. */
function luminanceOf(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function towards(hex: string, end: number, share: number): string {
  const [red, green, blue] = rgbOf(hex);
  const mixed = (channel: number) => channel + (end - channel) * share;
  return hexOf([mixed(red), mixed(green), mixed(blue)]);
}

const steps = 50;

/** Black or white reaches 4.58:1 on any color. */
const textOn = (hex: string) => (contrastOf(hex, '#ffffff') >= contrastOf(hex, '#000000') ? '#ffffff' : '#000000');

export function computeBrandTones(color: string, scheme: Scheme): BrandTones {
  const end = scheme === 'light' ? 0 : 255;
  let line = color;
  for (let step = 1; surfaces[scheme].some((surface) => contrastOf(line, surface) < 3) && step <= steps; step += 1) {
    line = towards(color, end, step / steps);
  }
  return { line, onLine: textOn(line) };
}

/** Returns custom properties that follow the color scheme in effect. */
export function brandStyle(color: string): Record<`--brand-${'line' | 'on-line'}`, string> {
  const [light, dark] = [computeBrandTones(color, 'light'), computeBrandTones(color, 'dark')];
  return {
    '--brand-line': `light-dark(${light.line}, ${dark.line})`,
    '--brand-on-line': `light-dark(${light.onLine}, ${dark.onLine})`,
  };
}
