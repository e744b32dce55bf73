import type { i18n } from 'i18next';
// oxlint-disable-next-line eslint/no-restricted-imports -- it is what useTexts wraps
import { useTranslation } from 'react-i18next';
import app from '../../locales/en/app.json' with { type: 'json' };

/** Texts by key, some of them in groups. */
export type Catalogue = { readonly [key: string]: string | Catalogue };

/** Texts of a room, an i18next namespace. Only code that imports them knows their keys, so they load with that code. */
export interface RoomTexts<Namespace extends string = string, English extends Catalogue = Catalogue> {
  readonly namespace: Namespace;
  readonly english: English;
}

/** Key without the ending that i18next chooses by count. */
type WithoutCount<Key extends string> =
  Key extends `${infer Start}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Start : Key;

type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? WithoutCount<Key> : `${Key}.${KeyOf<Texts[Key]>}`;
}[keyof Texts & string];

type RoomKey<Room> = Room extends RoomTexts<infer Namespace, infer English> ? `${Namespace}:${KeyOf<English>}` : never;

interface TranslateKey<Key extends string> {
  (key: Key, values?: Readonly<Record<string, unknown>>): string;
}

/** Function that returns a text by its key: `common.retry` of the app, or `social:title` of one of the given rooms. */
export type Translate<Room extends RoomTexts = never> = TranslateKey<KeyOf<typeof app> | RoomKey<Room>>;

/** Language other than English. */
export interface OtherLanguage {
  readonly app: Catalogue;
  /** Returns a room's texts, derived from the English ones or loaded. */
  readonly load: (namespace: string, english: Catalogue) => Catalogue | undefined | Promise<Catalogue | undefined>;
}

type TextsOfLanguage = Record<string, Catalogue>;

const english: TextsOfLanguage = { app };

/** Loaded texts by language and namespace. Every instance of i18next reads this object. */
export const loadedTexts: Record<string, TextsOfLanguage> = { en: english };

let loadMissing: (() => Promise<unknown>) | undefined;

/** Adds the English texts of a room, called once by the module that exports them. */
export function registerTexts<const Namespace extends string, English extends Catalogue>(
  namespace: Namespace,
  texts: English,
): RoomTexts<Namespace, English> {
  english[namespace] = texts;
  return { namespace, english: texts };
}

/** Loads the texts of all rooms so far in the app's language, and from now on those of each that `withTexts` loads. */
export async function translateTexts(language: string, { app: core, load }: OtherLanguage): Promise<void> {
  const translated: TextsOfLanguage = (loadedTexts[language] ??= { app: core });
  loadMissing = () =>
    Promise.all(
      Object.entries(english).map(async ([namespace, texts]) => {
        if (translated[namespace]) return;
        try {
          const loaded = await load(namespace, texts);
          if (loaded) translated[namespace] = loaded;
        } catch {
          // Offline and not cached yet: the room appears in English, and the next room retries.
        }
      }),
    );
  await loadMissing();
}

/** Waits for a room's code, and for its texts in the app's language, so that nothing appears in English first. */
export async function withTexts<Room>(loading: Promise<Room>): Promise<Room> {
  const room = await loading;
  if (loadMissing) await loadMissing();
  return room;
}

/** Returns the function for the texts of the app and of the given rooms, outside components. */
export const getTranslate = <const Rooms extends readonly RoomTexts[]>(
  { t }: i18n,
  ..._rooms: Rooms
): Translate<Rooms[number]> => t as unknown as Translate<Rooms[number]>;

/** Returns the function for the texts of the app and of the given rooms. */
export function useTexts<const Rooms extends readonly RoomTexts[]>(
  ..._rooms: Rooms
): { t: Translate<Rooms[number]>; i18n: i18n } {
  // Each key names its namespace, so i18next needs no list of them.
  const { t, i18n } = useTranslation();
  return { t: t as unknown as Translate<Rooms[number]>, i18n };
}
