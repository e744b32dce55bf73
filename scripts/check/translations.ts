import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../paths.ts';
import type { TextFile } from './trackedFiles.ts';

const catalogueFile = 'web/src/i18n/en.ts';
/** `enCalls.ts` exports `enCalls`, whose keys begin with `calls.`; en.ts holds it, or its area brings it when it loads. */
const areaCatalogue = /^web\/src\/.*\/(en([A-Z]\w*))\.ts$/;
/** i18next adds these to the key of a text that depends on a count. */
const pluralEnding = /_(?:zero|one|two|few|many|other)$/;

type Catalogue = { readonly [key: string]: string | Catalogue };

/** Every key that the web uses is in the catalogue, and every text of the catalogue is used. */
export async function findTranslationProblems(files: readonly TextFile[]): Promise<string[]> {
  const module = (await import(pathToFileURL(join(projectRoot, catalogueFile)).href)) as { en?: Catalogue };
  if (!module.en) return [`${catalogueFile} exports no “en”.`];
  return compareTranslations(
    flattenCatalogue({ ...(await areaCatalogues(files)), ...module.en }),
    files.filter(
      ({ path }) =>
        /^web\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !/\/en([A-Z]\w*)?\.ts$/.test(path),
    ),
  );
}

async function areaCatalogues(files: readonly TextFile[]): Promise<Record<string, Catalogue>> {
  const found: Record<string, Catalogue> = {};
  for (const { path } of files) {
    const [, name, area] = areaCatalogue.exec(path) ?? [];
    if (name === undefined || area === undefined) continue;
    const module = (await import(pathToFileURL(join(projectRoot, path)).href)) as Record<string, Catalogue>;
    const catalogue = module[name];
    if (catalogue) found[area.charAt(0).toLowerCase() + area.slice(1)] = catalogue;
  }
  return found;
}

export function flattenCatalogue(catalogue: Catalogue, prefix = ''): Map<string, string> {
  const keys = new Map<string, string>();
  for (const [name, value] of Object.entries(catalogue)) {
    if (typeof value === 'string') keys.set(prefix + name, value);
    else for (const [key, text] of flattenCatalogue(value, `${prefix}${name}.`)) keys.set(key, text);
  }
  return keys;
}

export function compareTranslations(catalogue: ReadonlyMap<string, string>, sources: readonly TextFile[]): string[] {
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
    // A key may travel as data before it reaches t(), so any string that equals a key counts as a use of it.
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
