import { currencies, type Currency } from './prices.ts';

/** What of somebody's likings is chosen from a few. */
export const preferenceChoices = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  textSize: ['usual', 'large', 'larger', 'largest'],
  /** Whether links that one writes are looked at. */
  linkPreviews: ['on', 'off'],
  /** In which prices are shown. */
  currency: currencies,
} as const;

export const preferenceLimits = { recentEmoji: 24, emojiLength: 64, emojiTones: 5 } as const;

/** How somebody likes the app, on all of their devices. */
export interface PreferenceValues {
  theme: (typeof preferenceChoices.theme)[number];
  density: (typeof preferenceChoices.density)[number];
  textSize: (typeof preferenceChoices.textSize)[number];
  linkPreviews: (typeof preferenceChoices.linkPreviews)[number];
  currency: Currency;
  /** The latest first. */
  recentEmoji: readonly string[];
  /** 0 without one, 1 to 5 from light to dark. */
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

/** Whether there is such a preference and it can have that value; what another version knows more of is none. */
export function isPreference(name: string, value: unknown): boolean {
  if (name === 'recentEmoji') {
    return Array.isArray(value) && value.length <= preferenceLimits.recentEmoji && value.every(isEmojiText);
  }
  if (name === 'emojiTone') {
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= preferenceLimits.emojiTones;
  }
  const choices: [string, readonly unknown[]][] = Object.entries(preferenceChoices);
  return choices.some(([known, values]) => known === name && values.includes(value));
}
