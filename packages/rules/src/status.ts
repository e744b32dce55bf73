import { graphemesOf } from './cutText.ts';

/** Status updates (decision 24): what they are and how they may look. */

export const statusMediaTypes = ['text', 'image', 'video'] as const;
export type StatusMediaType = (typeof statusMediaTypes)[number];

/** Who may see one: all mutual contacts, all but some, or only some of them. */
export const statusAudienceModes = ['contacts', 'except', 'only'] as const;
export type StatusAudienceMode = (typeof statusAudienceModes)[number];

export const statusTextColors = ['#FFFFFF', '#000000'] as const;
export type StatusTextColor = (typeof statusTextColors)[number];

/** The background colours that are offered; the first one is the default (spec section 3). */
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

/** Fonts that devices have, so that none is fetched; the first one is the default (spec section 3). */
export const statusFonts = ['Arial', 'Georgia', 'Times New Roman', 'Courier New', 'Verdana', 'Trebuchet MS'] as const;
export type StatusFont = (typeof statusFonts)[number];

/** Red, green and blue, from 0 to 255. */
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

/** Contrast ratio of two colours (`#RRGGBB`) as WCAG 2.2 defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lower = 0, upper = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (upper + 0.05) / (lower + 0.05);
}

/** The least contrast of text that WCAG 2.2 asks for. */
const readableContrast = 4.5;

/**
 * The colour to draw behind the text of a status update: the chosen background, darkened under white text or lightened
 * under black text as far as reading takes (decision 47). What is stored stays as it was chosen.
 */
export function statusSurface(background: StatusBackground, text: StatusTextColor): string {
  const target = text === '#FFFFFF' ? 0 : 255;
  for (let share = 0; ; share += 0.02) {
    const mixed = channels(background).map((channel) => Math.round(channel + (target - channel) * share));
    const surface = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
    if (share >= 1 || contrast(surface, text) >= readableContrast) return surface;
  }
}

/** Characters as people count them: an emoji of several code points is one. */
export const countCharacters = (text: string): number => [...graphemesOf(text)].length;
