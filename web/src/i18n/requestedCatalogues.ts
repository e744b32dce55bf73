/**
 * A room's English texts load with the room. Those of other languages are separate files, requested as soon as the room
 * loads. The build makes each `en<Room>.ts` declare its areas and each `import()` of a room wait for them
 * (web/vitePlugins/languages.ts), so nothing appears in English first.
 */
const wanted = new Set<string>();
let bring: ((areas: Set<string>) => Promise<void>) | undefined;

/** Registers the texts of a room that has loaded in English. */
export function requestCatalogue(area: string): void {
  wanted.add(area);
}

/** Sets the loader for the app's language. The loader removes loaded areas from the set. */
export async function loadRequestedCatalogues(by: typeof bring): Promise<void> {
  bring = by;
  await by?.(wanted);
}

/** Resolves once the module's texts are loaded in the app's language. */
export const waitForCatalogues = <T>(arriving: Promise<T>): Promise<T> =>
  bring ? arriving.then((room) => loadRequestedCatalogues(bring).then(() => room)) : arriving;
