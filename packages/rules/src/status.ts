import { graphemesOf } from './cutText.ts';

/** Status updates (decision 24): their types and appearance. */

export const statusMediaTypes = ['text', 'image', 'video'] as const;
export type StatusMediaType = (typeof statusMediaTypes)[number];

/** Audiences of a status update: all mutual contacts, all except some, or only some. */
export const statusAudienceModes = ['contacts', 'except', 'only'] as const;
export type StatusAudienceMode = (typeof statusAudienceModes)[number];

export const statusTextColors = ['#FFFFFF', '#000000'] as const;
export type StatusTextColor = (typeof statusTextColors)[number];

/** Available background colors; the first is the default (spec section 3). */
export const statusBackgroundColors = [
  '#1DB584',
  '#075E54',
  '#1D4ED8',
  '#6D28D9',
  '#BE123C',
  '#B45309',
  '#737373',
  '#111827',
  '#FACC15',
  '#F9A8D4',
] as const;
export type StatusBackground = (typeof statusBackgroundColors)[number];

/** Fonts available on devices, so that none is downloaded; the first is the default (spec section 3). */
export const statusFonts = ['Arial', 'Georgia', 'Times New Roman', 'Courier New', 'Verdana', 'Trebuchet MS'] as const;
export type StatusFont = (typeof statusFonts)[number];

/** Returns red, green and blue, from 0 to 255. */
function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** Relative luminance as WCAG 2.2 defines it, from 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colors (`#RRGGBB`) as WCAG 2.2 defines it, from 1 to 21. */
export function computeContrastRatio(one: string, other: string): number {
  const [lower = 0, upper = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (upper + 0.05) / (lower + 0.05);
}

/** Minimum text contrast of WCAG 2.2. */
const readableContrast = 4.5;

/**
 * Returns the color to draw behind the text of a status update: the chosen background, darkened under white text or
 * lightened under black text as far as legibility requires (decision 47). The stored color stays as chosen.
 */
export function toReadableStatusBackground(background: StatusBackground, text: StatusTextColor): string {
  const target = text === '#FFFFFF' ? 0 : 255;
  for (let share = 0; ; share += 0.02) {
    const mixed = channels(background).map((channel) => Math.round(channel + (target - channel) * share));
    const surface = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
    if (share >= 1 || computeContrastRatio(surface, text) >= readableContrast) return surface;
  }
}

/** Counts graphemes: an emoji of several code points is one. */
export const countCharacters = (text: string): number => [...graphemesOf(text)].length;
