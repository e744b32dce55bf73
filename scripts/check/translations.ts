import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../paths.ts';
import type { TextFile } from './trackedFiles.ts';

const catalogueFile = 'web/src/i18n/en.ts';
/**
 * Path of a catalog such as `enCalls.ts`, which exports `enCalls` with keys that begin with `calls.`. It is part of
 * en.ts or loaded with its area.
 */
const areaCatalogue = /^web\/src\/.*\/(en([A-Z]\w*))\.ts$/;
/** Suffixes that i18next adds to the key of a text that depends on a count. */
const pluralEnding = /_(?:zero|one|two|few|many|other)$/;

type Catalogue = { readonly [key: string]: string | Catalogue };

/**
 * Checks that the catalog has every key that the web uses, that every text is used, and that each has a German
 * translation.
 */
export async function findTranslationProblems(files: readonly TextFile[]): Promise<string[]> {
  const module = (await import(pathToFileURL(join(projectRoot, catalogueFile)).href)) as { en?: Catalogue };
  if (!module.en) return [`${catalogueFile} exports no “en”.`];
  const english = await areaCatalogues(files);
  const catalogue = flattenCatalogue(Object.fromEntries([...english].map(([, area, words]) => [area, words])));
  for (const [key, text] of flattenCatalogue(module.en)) catalogue.set(key, text);
  const sources = files.filter(
    ({ path }) =>
      /^web\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !/\/(?:en|de)([A-Z]\w*)?\.ts$/.test(path),
  );
  return [
    ...compareCatalogueWithSources(catalogue, sources),
    ...[...english].flatMap(([path, , words]) => findLabelMismatches(path, flattenCatalogue(words))),
    ...(await findGermanProblems(english, module.en)),
  ];
}

/**
 * Checks that a specific label contains the visible text of its generic one, because people who speak to their device
 * say what they read (WCAG 2.5.3).
 */
export function findLabelMismatches(path: string, words: ReadonlyMap<string, string>): string[] {
  return [...words].flatMap(([key, name]) => {
    const read = key.endsWith('Named') ? words.get(key.slice(0, -'Named'.length)) : undefined;
    if (read === undefined || name.toLowerCase().includes(read.toLowerCase())) return [];
    return [`${path}: “${key}” must contain the visible text “${read}”.`];
  });
}

type AreaCatalogue = readonly [path: string, area: string, words: Catalogue];

async function areaCatalogues(files: readonly TextFile[]): Promise<AreaCatalogue[]> {
  const found: AreaCatalogue[] = [];
  for (const { path } of files) {
    const [, name, area] = areaCatalogue.exec(path) ?? [];
    if (name === undefined || area === undefined) continue;
    const catalogue = await exportOf(path, name);
    if (catalogue) found.push([path, area.charAt(0).toLowerCase() + area.slice(1), catalogue]);
  }
  return found;
}

async function exportOf(path: string, name: string): Promise<Catalogue | undefined> {
  const module = (await import(pathToFileURL(join(projectRoot, path)).href)) as Record<string, Catalogue>;
  return module[name];
}

/** Checks that each `enCalls.ts` has a `deCalls.ts` in the same folder. */
async function findGermanProblems(areas: readonly AreaCatalogue[], core: Catalogue): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, words] of [
    ...areas.map(([path, , words]) => [path, words] as const),
    [catalogueFile, core] as const,
  ]) {
    const germanPath = path.replace(/\/en([A-Z]\w*)?\.ts$/, '/de$1.ts');
    const name = germanPath.replace(/^.*\/|\.ts$/g, '');
    const german = await exportOf(germanPath, name).catch(() => undefined);
    if (german) {
      const flat = flattenCatalogue(german);
      problems.push(
        ...compareLanguages(germanPath, flattenCatalogue(words), flat),
        ...findLabelMismatches(germanPath, flat),
      );
    } else problems.push(`${germanPath} is missing. The German text of a room belongs next to its English text.`);
  }
  return problems;
}

const filledIn = (text: string): string =>
  [...text.matchAll(/\{\{?\s*\w+\s*\}?\}/g)]
    .map(([place]) => place)
    .filter((place, index, all) => all.indexOf(place) === index)
    .toSorted()
    .join(', ');

/** Checks that each text has a translation with the same placeholders, typeset by German rules. */
export function compareLanguages(
  path: string,
  english: ReadonlyMap<string, string>,
  german: ReadonlyMap<string, string>,
): string[] {
  const problems: string[] = [];
  for (const [key, text] of english) {
    const translated = german.get(key);
    if (translated === undefined) problems.push(`${path}: “${key}” is missing: ${text}`);
    else if (filledIn(text) !== filledIn(translated)) {
      problems.push(
        `${path}: “${key}” interpolates ${filledIn(translated) || 'nothing'}, not ${filledIn(text) || 'nothing'}.`,
      );
    }
  }
  for (const [key, text] of german) {
    if (!english.has(key)) problems.push(`${path}: “${key}” does not exist in English.`);
    if (text.trim() === '') problems.push(`${path}: “${key}” is empty.`);
    if (/\.\.\.|"|(?<![\u00a0 ])…$/.test(text))
      problems.push(`${path}: “${key}” needs „…“ as quotes, and a non-breaking space before a final ellipsis.`);
  }
  return problems;
}

export function flattenCatalogue(catalogue: Catalogue, prefix = ''): Map<string, string> {
  const keys = new Map<string, string>();
  for (const [name, value] of Object.entries(catalogue)) {
    if (typeof value === 'string') keys.set(prefix + name, value);
    else for (const [key, text] of flattenCatalogue(value, `${prefix}${name}.`)) keys.set(key, text);
  }
  return keys;
}

export function compareCatalogueWithSources(
  catalogue: ReadonlyMap<string, string>,
  sources: readonly TextFile[],
): string[] {
  const known = new Set([...catalogue.keys()].map((key) => key.replace(pluralEnding, '')));
  const problems: string[] = [];
  const mentioned = new Set<string>();
  const prefixes = new Set<string>();

  for (const { path, text } of sources) {
    for (const [, key] of text.matchAll(/(?<![\w.])(?:i18n(?:ext)?\.)?t\(\s*['"]([^'"]+)['"]/g)) {
      if (key !== undefined && !known.has(key)) problems.push(`${path}: the catalogue has no “${key}”.`);
    }
    for (const [, key] of text.matchAll(/\bi18nKey=['"{`]+([\w.:-]+)/g)) {
      if (key !== undefined && !known.has(key)) problems.push(`${path}: the catalogue has no “${key}”.`);
    }
    // A key may be passed as data before it reaches t(), so any string that equals a key is treated as a use of it.
    for (const [, literal] of text.matchAll(/['"`]([A-Za-z][\w-]*(?:\.[\w-]+)*)['"`]/g)) {
      if (literal !== undefined) mentioned.add(literal);
    }
    for (const [, prefix] of text.matchAll(/`([A-Za-z][\w-]*(?:\.[\w-]+)*[._])\$\{/g)) {
      if (prefix !== undefined) prefixes.add(prefix);
    }
  }
  for (const key of known) {
    if (mentioned.has(key) || [...prefixes].some((prefix) => key.startsWith(prefix))) continue;
    problems.push(`${catalogueFile}: nothing uses “${key}”.`);
  }
  for (const [key, text] of catalogue) {
    if (text.trim() === '') problems.push(`${catalogueFile}: “${key}” is empty.`);
  }
  return [...new Set(problems)];
}
