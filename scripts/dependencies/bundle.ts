import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';
import { projectRoot } from '../paths.ts';
import { bundledPackages } from './bundledPackages.ts';

// Entire program of the process that `provideBundledDependencies` starts, so that its imports stay out of the launcher.
const target = process.argv[2] ?? '';
if (target === '') throw new Error('Pass the folder to create as the argument.');

const making = `${target}.making`;
rmSync(making, { recursive: true, force: true });
mkdirSync(join(making, 'names'), { recursive: true });

const files: Record<string, string> = {};
const input: Record<string, string> = {};
function addEntryModule(name: string, code: string): string {
  const file = name.replace(/^@/, '').replace(/[/:]/g, '.');
  const entry = join(making, 'names', `${file}.mjs`);
  writeFileSync(entry, code);
  input[file] = entry;
  files[name] = pathToFileURL(join(target, `${file}.mjs`)).href;
  return entry;
}
for (const name of bundledPackages) addEntryModule(name, await createEntryCode(name));
const httpEntry = addEntryModule('node:http', await createHttpEntryCode());

const bundle = await rolldown({
  cwd: projectRoot,
  input,
  platform: 'node',
  // Uninstalled optional packages stay as imports that the package handles itself, so warnings about them are silenced.
  logLevel: 'silent',
  plugins: [places(), http()],
});
await bundle.write({ dir: making, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'part-[hash].mjs' });
await bundle.close();
rmSync(join(making, 'names'), { recursive: true });
writeFileSync(join(making, 'files.json'), JSON.stringify(files));
writeFileSync(join(making, 'register.mjs'), hooksFor(files));
rmSync(target, { recursive: true, force: true });
renameSync(making, target);

/**
 * Returns a module with the exports that `import` of the name yields. Node detects the export names of a CommonJS
 * module, the bundler does not.
 */
async function createEntryCode(name: string): Promise<string> {
  const file = JSON.stringify(fileURLToPath(import.meta.resolve(name)));
  const found = (await import(name)) as Record<string, unknown>;
  if (!('module.exports' in found)) {
    return `export * from ${file};\n${'default' in found ? `export { default } from ${file};\n` : ''}`;
  }
  const names = Object.keys(found).filter((key) => !['default', 'module.exports', '__esModule'].includes(key));
  const values = names.map((key, index) => `const value${String(index)} = whole[${JSON.stringify(key)}];\n`);
  const exported = names.map((key, index) => `value${String(index)} as ${JSON.stringify(key)}`);
  return `import whole from ${file};\nexport default whole;\n${values.join('')}export { ${exported.join(', ')} };\n`;
}

/**
 * Returns Node's `node:http` without three names. Exporting them loads Node's whole HTTP client, a tenth of the start
 * time, which a service loads only if it uses it.
 */
async function createHttpEntryCode(): Promise<string> {
  const late = ['CloseEvent', 'MessageEvent', 'WebSocket'];
  const names = Object.keys(await import('node:http')).filter(
    (name) => ![...late, 'default', 'module.exports'].includes(name),
  );
  return `const whole = process.getBuiltinModule('node:http');\nexport default whole;\nexport const { ${names.join(', ')} } = whole;\n`;
}

/** Replaces `node:http` for packages that import it, too. Packages that require it never see the late names. */
function http(): Plugin {
  return {
    name: 'http',
    resolveId: (source, _, { kind }) =>
      kind === 'import-statement' && /^(?:node:)?http$/.test(source) ? httpEntry : undefined,
  };
}

/** Preserves a file's own path for packages that read files next to it. */
function places(): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      if (!/__dirname|__filename|import\.meta\./.test(code)) return undefined;
      const folder = JSON.stringify(dirname(id));
      const file = JSON.stringify(id);
      return code
        .replace(/\b__dirname\b/g, folder)
        .replace(/\b__filename\b/g, file)
        .replace(/\bimport\.meta\.dirname\b/g, folder)
        .replace(/\bimport\.meta\.filename\b/g, file)
        .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href));
    },
  };
}

/** Returns the hooks loaded before our programs. They resolve bundled files and shorten the resolution of our own. */
function hooksFor(found: Record<string, string>): string {
  return `import { registerHooks } from 'node:module';
const files = ${JSON.stringify(found, null, 2)};
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (parentURL === undefined || parentURL.includes('/node_modules/')) return next(specifier, context);
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    }
    const url = Object.hasOwn(files, specifier) ? files[specifier] : undefined;
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
  },
});
`;
}
