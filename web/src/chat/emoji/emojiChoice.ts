import { preferenceLimits } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import { emojiStorageKey } from '../../session/ownKeys.ts';
import { accountPreferences, sharePreference } from '../../session/preferences.ts';

/** How somebody uses emoji, kept on this device until they sign out, and with their account. */
interface EmojiChoice {
  /** The latest first. */
  readonly recent: readonly string[];
  /** 0 without one, 1 to 5 from light to dark. */
  readonly tone: number;
}

const mostRecent = preferenceLimits.recentEmoji;
const nothing: EmojiChoice = { recent: [], tone: 0 };

type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function read(storage: ChoiceStorage): EmojiChoice {
  try {
    const { recent, tone } = JSON.parse(storage.getItem(emojiStorageKey) ?? '{}') as Partial<EmojiChoice>;
    const texts = Array.isArray(recent) ? recent.filter((text) => typeof text === 'string') : [];
    return { recent: texts.slice(0, mostRecent), tone: typeof tone === 'number' && tone >= 0 && tone <= 5 ? tone : 0 };
  } catch {
    // Whatever another version or a person's hand left there is no choice of ours.
    return nothing;
  }
}

export function createEmojiChoice(storage: ChoiceStorage) {
  const store = createStore<EmojiChoice>(() => read(storage));
  const keep = (choice: Partial<EmojiChoice>): void => {
    store.setState(choice);
    try {
      storage.setItem(emojiStorageKey, JSON.stringify(store.getState()));
    } catch {
      // A full storage keeps the choice in memory.
    }
  };
  return {
    ...store,
    keep,
    used: (text: string) =>
      keep({ recent: [text, ...store.getState().recent.filter((one) => one !== text)].slice(0, mostRecent) }),
    chooseTone: (tone: number) => keep({ tone }),
  };
}

type Choice = ReturnType<typeof createEmojiChoice>;
let current: { userId: string; choice: Choice; stop: () => void } | undefined;

function share({ getState, keep, subscribe }: Choice): () => void {
  const preferences = accountPreferences();
  const stop = [
    sharePreference(preferences, 'recentEmoji', {
      get: () => getState().recent,
      set: (recent) => keep({ recent }),
      subscribe,
      usual: nothing.recent,
    }),
    sharePreference(preferences, 'emojiTone', {
      get: () => getState().tone,
      set: (tone) => keep({ tone }),
      subscribe,
      usual: nothing.tone,
    }),
  ];
  return () => stop.forEach((one) => one());
}

/** What this person uses; what another one used before them on the same page is forgotten. */
export function emojiChoice(userId: string): Choice {
  if (current?.userId !== userId) {
    current?.stop();
    const choice = createEmojiChoice(localStorage);
    current = { userId, choice, stop: share(choice) };
  }
  return current.choice;
}
