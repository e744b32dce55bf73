import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const distFolder = fileURLToPath(new URL('../dist/', import.meta.url));

interface ManifestChunk {
  file: string;
  imports?: string[];
}

/** State of the app, the modules whose chunks it needs, and their maximum gzipped size. */
interface Budget {
  name: string;
  limitKilobytes: number;
  entries: readonly string[];
}

const boot = ['index.html', 'src/registerServiceWorker.ts'];
const app = [...boot, 'src/app/main.tsx'];

export const budgets: readonly Budget[] = [
  { name: 'landing', limitKilobytes: 20, entries: boot },
  {
    name: 'phone sign-in',
    limitKilobytes: 125,
    entries: [...app, 'src/account/signIn/PhoneSignIn.tsx'],
  },
  {
    name: 'signed-in first screen',
    limitKilobytes: 220,
    entries: [...app, 'src/app/SignedIn.tsx', 'src/app/ChatsLayout.tsx', 'src/chat/list/NoConversationSelected.tsx'],
  },
];

export interface MeasuredSize {
  name: string;
  kilobytes: number;
  limitKilobytes: number;
}

/** Lists the scripts that an entry needs before it can run: its own and all static imports. */
function staticFiles(manifest: Record<string, ManifestChunk>, entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined) {
      throw new Error(
        `The size check found no chunk for ${key}. If the module has moved, update its path in web/scripts/size.ts.`,
      );
    }
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  entries.forEach(visit);
  return files;
}

/** Returns a cycle of imports, which only works while no file needs the other during loading. */
function circle(manifest: Record<string, ManifestChunk>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (key: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(key)) return [...path.slice(path.indexOf(key)), key];
    if (done.has(key)) return undefined;
    for (const imported of manifest[key]?.imports ?? []) {
      const found = visit(imported, [...path, key]);
      if (found) return found;
    }
    done.add(key);
    return undefined;
  };
  for (const key of Object.keys(manifest)) {
    const found = visit(key, []);
    if (found) return found;
  }
  return undefined;
}

/** Measures web/dist. Throws an error that names every budget exceeded. */
export async function measureSizes(): Promise<MeasuredSize[]> {
  const text = await readFile(`${distFolder}.vite/manifest.json`, 'utf8').catch(() => {
    throw new Error('There is no build to measure. Run `node web/scripts/build.ts` first.');
  });
  const manifest = JSON.parse(text) as Record<string, ManifestChunk>;
  const found = circle(manifest);
  if (found) throw new Error(`Chunks of the build import each other in a circle: ${found.join(' > ')}`);
  const sizes: MeasuredSize[] = [];
  for (const { name, limitKilobytes, entries } of budgets) {
    let bytes = 0;
    for (const file of staticFiles(manifest, entries)) {
      bytes += gzipSync(await readFile(distFolder + file), { level: 9 }).byteLength;
    }
    sizes.push({ name, kilobytes: bytes / 1000, limitKilobytes });
  }
  const excesses = sizes.filter((size) => size.kilobytes > size.limitKilobytes);
  if (excesses.length > 0) {
    const sentences = excesses.map(
      (size) =>
        `The JavaScript of the ${size.name} is ${size.kilobytes.toFixed(1)} kB gzipped; the limit is ${size.limitKilobytes} kB.`,
    );
    throw new Error(sentences.join('\n'));
  }
  return sizes;
}

if (import.meta.main) {
  for (const size of await measureSizes()) {
    process.stdout.write(`${size.name}: ${size.kilobytes.toFixed(1)} of ${size.limitKilobytes} kB\n`);
  }
}
