/**
 * A room's English words come over the line with the room; in another language they are files of their own, which are
 * asked for as soon as the room is here. The build makes each `en<Room>.ts` say which words it holds and each `import()`
 * of a room wait for them (web/vitePlugins/languages.ts), so nothing is shown in English first.
 */
const wanted = new Set<string>();
let bring: ((areas: Set<string>) => Promise<void>) | undefined;

/** Says that a room is here, with these words in English. */
export function wantWords(area: string): void {
  wanted.add(area);
}

/** From here on the app speaks a language that is brought like this; what is brought is taken out of the set. */
export async function bringWords(by: typeof bring): Promise<void> {
  bring = by;
  await by?.(wanted);
}

/** What arrives, once its words are here in the app's language. */
export const withWords = <T>(arriving: Promise<T>): Promise<T> =>
  bring ? arriving.then((room) => bringWords(bring).then(() => room)) : arriving;
