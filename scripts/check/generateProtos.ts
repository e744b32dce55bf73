import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../paths.ts';
import { runTool } from './runTool.ts';

/** Updates `gen` from the `.proto` files. Writes only changed files, so running services are not disturbed. */
async function generateProtos(protoDir: string = join(projectRoot, 'proto')): Promise<string[]> {
  const fresh = await render(protoDir);
  const stale = await compare(fresh, protoDir);
  for (const name of stale) {
    const path = join(protoDir, 'gen', name);
    const content = fresh.get(name);
    if (content === undefined) {
      await rm(path);
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
  }
  return stale;
}

/** Returns every generated file that is outdated, missing or left over. */
export async function findStaleGeneratedFiles(protoDir: string = join(projectRoot, 'proto')): Promise<string[]> {
  return compare(await render(protoDir), protoDir);
}

async function compare(fresh: Map<string, string>, protoDir: string): Promise<string[]> {
  const present = await readTree(join(protoDir, 'gen'));
  const names = new Set([...fresh.keys(), ...present.keys()]);
  return [...names].filter((name) => fresh.get(name) !== present.get(name)).sort();
}

async function render(protoDir: string): Promise<Map<string, string>> {
  const scratch = await mkdtemp(join(tmpdir(), 'nolo-proto-'));
  try {
    // The plugin's path in buf.gen.yaml is relative to the proto folder, so the scratch folder has the same layout.
    const copy = join(scratch, 'proto');
    await cp(protoDir, copy, {
      recursive: true,
      filter: (source) => !/(^|\/)(gen|node_modules)$/.test(relative(protoDir, source)),
    });
    await symlink(join(projectRoot, 'node_modules'), join(scratch, 'node_modules'));
    const { code, output } = await runTool('buf', ['generate'], copy);
    if (code !== 0) throw new Error(`buf generate failed:\n${output.trim()}`);
    return await readTree(join(copy, 'gen'));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function readTree(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path), await readFile(path, 'utf8'));
  }
  return files;
}

if (import.meta.main) {
  const written = await generateProtos();
  console.log(written.length === 0 ? 'Generated code is up to date.' : `Generated: ${written.join(', ')}`);
}
