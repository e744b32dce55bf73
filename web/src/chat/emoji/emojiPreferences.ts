import { fullEmoji, preferenceLimits } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import { createCrossTabStorageItem } from '../../device/crossTabStorageItem.ts';
import { emojiStorageKey } from '../../session/ownKeys.ts';
import { getAccountPreferenceStore, syncPreference } from '../../session/preferences.ts';

/** Emoji preferences, stored with the account and, until sign-out, on this device. */
interface EmojiChoice {
  /** Most recent first. */
  readonly recent: readonly string[];
  /** Skin tone: 0 for none, 1 to 5 from light to dark. */
  readonly tone: number;
}

const maxRecentEmoji = preferenceLimits.recentEmoji;
const nothing: EmojiChoice = { recent: [], tone: 0 };

type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem'>;

function parse(stored: unknown): EmojiChoice {
  const { recent, tone } = (stored ?? {}) as Partial<EmojiChoice>;
  const texts = Array.isArray(recent) ? recent.filter((text) => typeof text === 'string') : [];
  return {
    recent: texts.slice(0, maxRecentEmoji),
    tone: typeof tone === 'number' && tone >= 0 && tone <= 5 ? tone : 0,
  };
}

export function createEmojiPreferences(storage: ChoiceStorage) {
  const item = createCrossTabStorageItem({ key: emojiStorageKey, storage, parse });
  const store = createStore<EmojiChoice>(() => item.read());
  const change = (next: (current: EmojiChoice) => Partial<EmojiChoice>): void =>
    store.setState(item.change((current) => ({ ...current, ...next(current) })));
  return {
    ...store,
    keep: (choice: Partial<EmojiChoice>) => change(() => choice),
    used: (text: string) =>
      change(({ recent }) => ({
        recent: [text, ...recent.filter((one) => fullEmoji(one) !== fullEmoji(text))].slice(0, maxRecentEmoji),
      })),
    chooseTone: (tone: number) => change(() => ({ tone })),
  };
}

type Choice = ReturnType<typeof createEmojiPreferences>;
let current: { userId: string; choice: Choice; stop: () => void } | undefined;

function share({ getState, keep, subscribe }: Choice): () => void {
  const preferences = getAccountPreferenceStore();
  const stop = [
    syncPreference(preferences, 'recentEmoji', {
      get: () => getState().recent,
      set: (recent) => keep({ recent }),
      subscribe,
      defaultValue: nothing.recent,
    }),
    syncPreference(preferences, 'emojiTone', {
      get: () => getState().tone,
      set: (tone) => keep({ tone }),
      subscribe,
      defaultValue: nothing.tone,
    }),
  ];
  return () => stop.forEach((one) => one());
}

/** Returns this user's preferences and drops those of a previous user on the same page. */
export function getEmojiPreferences(userId: string): Choice {
  if (current?.userId !== userId) {
    current?.stop();
    const choice = createEmojiPreferences(localStorage);
    current = { userId, choice, stop: share(choice) };
  }
  return current.choice;
}
