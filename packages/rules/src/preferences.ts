import { currencies, type Currency } from './prices.ts';

/** Preferences with a fixed set of choices. */
export const preferenceChoices = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  textSize: ['default', 'large', 'larger', 'largest'],
  /** Link previews for links that the user writes. */
  linkPreviews: ['on', 'off'],
  /** Currency in which prices are shown. */
  currency: currencies,
} as const;

/**
 * Value of `textSize: 'default'` that pages and services of 0.3.0 send and store, while they accept both. This release
 * sends and stores the new one, and accepts both. 0.5.0 converts what 0.3.0 stored after the migration of this release,
 * and deletes this value.
 */
export const formerTextSize = 'usual';

/** Returns the current form of a preference's value that arrived or was stored. */
export function currentPreference(name: string, value: unknown): unknown {
  return name === 'textSize' && value === formerTextSize ? preferenceChoices.textSize[0] : value;
}

export const preferenceLimits = { recentEmoji: 24, emojiLength: 64, emojiTones: 5 } as const;

/** User preferences for the app, shared by all devices. */
export interface PreferenceValues {
  theme: (typeof preferenceChoices.theme)[number];
  density: (typeof preferenceChoices.density)[number];
  textSize: (typeof preferenceChoices.textSize)[number];
  linkPreviews: (typeof preferenceChoices.linkPreviews)[number];
  currency: Currency;
  /** Most recent first. */
  recentEmoji: readonly string[];
  /** 0 for none, 1 to 5 from light to dark. */
  emojiTone: number;
}
export type PreferenceName = keyof PreferenceValues;

export const preferenceNames: readonly PreferenceName[] = [
  ...(Object.keys(preferenceChoices) as (keyof typeof preferenceChoices)[]),
  'recentEmoji',
  'emojiTone',
];

const isEmojiText = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= preferenceLimits.emojiLength;

/**
 * Returns true if the preference exists and the value is valid. Preferences and values of other versions are invalid.
 */
export function isValidPreference(name: string, given: unknown): boolean {
  const value = currentPreference(name, given);
  if (name === 'recentEmoji') {
    return Array.isArray(value) && value.length <= preferenceLimits.recentEmoji && value.every(isEmojiText);
  }
  if (name === 'emojiTone') {
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= preferenceLimits.emojiTones;
  }
  const choices: [string, readonly unknown[]][] = Object.entries(preferenceChoices);
  return choices.some(([known, values]) => known === name && values.includes(value));
}
