import { posix } from 'node:path';
import type { TextFile } from './trackedFiles.ts';

/** Path of the texts of a namespace. Those of `app` have keys without a namespace. */
const cataloguePath = /^web\/locales\/(\w+)\/(\w+)\.json$/;
const sourcePath = /^web\/src\/.*\.tsx?$/;
const testPath = /\.test\.tsx?$|\/testing\//;
/** Suffixes that i18next adds to the key of a text that depends on a count. */
const pluralEnding = /_(?:zero|one|two|few|many|other)$/;

type Catalogue = { readonly [key: string]: string | Catalogue };

interface NamespaceFile {
  path: string;
  namespace: string;
  texts: ReadonlyMap<string, string>;
}

/**
 * Checks that the catalogue has every key that the web uses, that every text is used and loaded with its room, and that
 * each has a German translation.
 */
export function findTranslationProblems(files: readonly TextFile[]): string[] {
  const english = cataloguesOf(files, 'en');
  if (english.length === 0) return ['web/locales/en has no texts.'];
  const sources = files.filter(({ path }) => sourcePath.test(path) && !testPath.test(path));
  const catalogue = new Map(
    english.flatMap(({ namespace, texts }) =>
      [...texts].map(([key, text]) => [namespace === 'app' ? key : `${namespace}:${key}`, text] as const),
    ),
  );
  return [
    ...files.filter(({ path }) => cataloguePath.test(path)).flatMap(findRepeatedKeys),
    ...compareCatalogueWithSources(catalogue, sources),
    ...findMissingValues(catalogue, sources),
    ...english.flatMap(({ path, texts }) => findLabelMismatches(path, texts)),
    ...findGermanProblems(english, cataloguesOf(files, 'de')),
    ...findUnregistered(english, sources),
    ...findUnwaitedImports(sources),
  ];
}

function cataloguesOf(files: readonly TextFile[], language: string): NamespaceFile[] {
  return files.flatMap(({ path, text }) => {
    const [, of, namespace] = cataloguePath.exec(path) ?? [];
    if (of !== language || namespace === undefined) return [];
    return [{ path, namespace, texts: flattenCatalogue(JSON.parse(text) as Catalogue) }];
  });
}

/** Finds keys that a file has twice, of which JSON keeps the last. Each key has a line of its own. */
export function findRepeatedKeys({ path, text }: TextFile): string[] {
  const countKeys = (catalogue: Catalogue): number =>
    Object.values(catalogue).reduce<number>(
      (sum, value) => sum + 1 + (typeof value === 'string' ? 0 : countKeys(value)),
      0,
    );
  const lines = text.match(/^\s*"[^"]+":/gm)?.length ?? 0;
  return lines === countKeys(JSON.parse(text) as Catalogue) ? [] : [`${path}: a key is there twice.`];
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

/** Checks that each `en/calls.json` has a `de/calls.json`, and nothing else has. */
function findGermanProblems(english: readonly NamespaceFile[], german: readonly NamespaceFile[]): string[] {
  const surplus = german.filter((one) => !english.some(({ namespace }) => namespace === one.namespace));
  return [
    ...surplus.map(({ path }) => `${path} has no English file.`),
    ...english.flatMap(({ namespace, texts }) => {
      const translated = german.find((one) => one.namespace === namespace);
      if (!translated) return [`web/locales/de/${namespace}.json is missing. A new text comes in both languages.`];
      return [
        ...compareLanguages(translated.path, texts, translated.texts),
        ...findLabelMismatches(translated.path, translated.texts),
      ];
    }),
  ];
}

const filledIn = (text: string): string =>
  [...new Set([...text.matchAll(/\{\{?\s*\w+\s*\}?\}/g)].map(([place]) => place))].toSorted().join(', ');

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

/** Path of the file with a key, which has a namespace or belongs to the app. */
const fileOf = (key: string): string => `web/locales/en/${key.includes(':') ? key.split(':', 1)[0] : 'app'}.json`;

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
    for (const [, literal] of text.matchAll(/['"`]([A-Za-z][\w-]*(?:[.:][\w-]+)*)['"`]/g)) {
      if (literal !== undefined) mentioned.add(literal);
    }
    for (const [, prefix] of text.matchAll(/`([A-Za-z][\w-]*(?:[.:][\w-]+)*[.:_])\$\{/g)) {
      if (prefix !== undefined) prefixes.add(prefix);
    }
  }
  for (const key of known) {
    if (mentioned.has(key) || [...prefixes].some((prefix) => key.startsWith(prefix))) continue;
    problems.push(`${fileOf(key)}: nothing uses “${key}”.`);
  }
  for (const [key, text] of catalogue) {
    if (text.trim() === '') problems.push(`${fileOf(key)}: “${key}” is empty.`);
  }
  return [...new Set(problems)];
}

/** Finds calls of t() without a value that the text shows. Values from elsewhere are not looked at. */
export function findMissingValues(catalogue: ReadonlyMap<string, string>, sources: readonly TextFile[]): string[] {
  const names = new Map<string, Set<string>>();
  for (const [key, text] of catalogue) {
    const base = key.replace(pluralEnding, '');
    const known = names.get(base) ?? new Set();
    for (const [, name] of text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) if (name !== undefined) known.add(name);
    names.set(base, known);
  }
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w.])t\(\s*'([^']+)'\s*,?\s*([){])/g)].flatMap(
      ({ 0: call, 1: key = '', 2: next, index }) => {
        const start = index + call.length;
        const values = next === ')' ? '' : text.slice(start, endOfBraces(text, start));
        if (values.includes('...')) return [];
        return [...(names.get(key) ?? [])]
          .filter((name) => !new RegExp(`\\b${name}\\b`).test(values))
          .map((name) => `${path}: “${key}” needs the value “${name}”.`);
      },
    ),
  );
}

/** Returns the end of braces that are open at a place. */
function endOfBraces(text: string, start: number): number {
  let depth = 1;
  let place = start;
  for (; place < text.length && depth > 0; place += 1) {
    if (text[place] === '{') depth += 1;
    else if (text[place] === '}') depth -= 1;
  }
  return place;
}

/** Checks that one module of a room registers each namespace, so that its texts load with the code that uses them. */
function findUnregistered(english: readonly NamespaceFile[], sources: readonly TextFile[]): string[] {
  return english.flatMap(({ namespace, path }) => {
    if (namespace === 'app') return [];
    const [module, ...others] = sources.filter(({ text }) => text.includes(`registerTexts('${namespace}'`));
    if (module === undefined) return [`${path}: no module registers its texts.`];
    if (others.length > 0)
      return others.map((other) => `${other.path}: ${module.path} registers “${namespace}” already.`);
    if (!module.path.endsWith(`/${namespace}Texts.ts`)) return [`${module.path} must be called ${namespace}Texts.ts.`];
    return module.text.includes(`/locales/en/${namespace}.json'`) ? [] : [`${module.path} must import ${path}.`];
  });
}

/** Boot script, which only fills the browser's cache: main.tsx translates what has loaded. */
const bootScript = 'web/src/boot.ts';
/** Start of an import that waits for the texts of what it loads. */
const waits = /(?:\bwithTexts|\blazy[A-Z]\w*(?:<[^;]*>)?)\(\s*(?:async \(\) =>\s*\(await\s*)?$/;

/**
 * Finds rooms that are loaded without waiting for their texts in the app's language: `import()` of a module that needs
 * texts must be an argument of `withTexts` or of a function such as `lazyDialog`, which contains it.
 */
export function findUnwaitedImports(sources: readonly TextFile[]): string[] {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const resolve = (from: string, specifier: string) => posix.join(posix.dirname(from), specifier);
  const needsTexts = (path: string, seen = new Set<string>()): boolean => {
    const text = texts.get(path);
    if (text === undefined || seen.has(path)) return false;
    seen.add(path);
    if (text.includes('registerTexts(')) return !path.endsWith('/i18n/texts.ts');
    return [...text.matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+)'/gm)].some(([, specifier = '']) =>
      needsTexts(resolve(path, specifier), seen),
    );
  };
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<!typeof )\bimport\(\s*'(\.[^']+)'/g)].flatMap(({ 1: specifier = '', index }) => {
      if (path === bootScript || waits.test(text.slice(0, index))) return [];
      return needsTexts(resolve(path, specifier))
        ? [`${path}: wrap import('${specifier}') in withTexts(), or its texts appear in English first.`]
        : [];
    }),
  );
}
