import { graphemesOf } from './cutText.ts';

/** Status updates (decision 24): what they are and how they may look. */

export const statusMediaTypes = ['text', 'image', 'video'] as const;
export type StatusMediaType = (typeof statusMediaTypes)[number];

/** Who may see one: all mutual contacts, all but some, or only some of them. */
export const statusAudienceModes = ['contacts', 'except', 'only'] as const;
export type StatusAudienceMode = (typeof statusAudienceModes)[number];

export const statusTextColors = ['#FFFFFF', '#000000'] as const;
export type StatusTextColor = (typeof statusTextColors)[number];

/**
 * The backgrounds that are offered, each with the colours of text that can be read on it: WCAG 2.2 asks for a contrast of at
 * least 4.5 to 1. The first one is the default (spec section 3), on which white cannot be read.
 */
export const statusBackgrounds = {
  '#1DB584': ['#000000'],
  '#075E54': ['#FFFFFF'],
  '#1D4ED8': ['#FFFFFF'],
  '#6D28D9': ['#FFFFFF'],
  '#BE123C': ['#FFFFFF'],
  '#B45309': ['#FFFFFF'],
  '#737373': ['#FFFFFF'],
  '#111827': ['#FFFFFF'],
  '#FACC15': ['#000000'],
  '#F9A8D4': ['#000000'],
} as const satisfies Record<string, readonly StatusTextColor[]>;
export type StatusBackground = keyof typeof statusBackgrounds;

export const statusBackgroundColors = Object.keys(statusBackgrounds) as readonly StatusBackground[];

/** Fonts that devices have, so that none is fetched; the first one is the default (spec section 3). */
export const statusFonts = ['Arial', 'Georgia', 'Times New Roman', 'Courier New', 'Verdana', 'Trebuchet MS'] as const;
export type StatusFont = (typeof statusFonts)[number];

/** The wanted colour of text where it can be read on the background, else the one that can. */
export function readableTextColor(background: StatusBackground, wanted?: StatusTextColor): StatusTextColor {
  const offered: readonly StatusTextColor[] = statusBackgrounds[background];
  return offered.find((color) => color === wanted) ?? offered[0] ?? '#000000';
}

/** Characters as people count them: an emoji of several code points is one. */
export const countCharacters = (text: string): number => [...graphemesOf(text)].length;
