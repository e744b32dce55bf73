import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { projectRoot } from '../paths.ts';

/** Limits in kilobytes of gzipped JavaScript. A program without chats loads only the first part. */
const limits = { withoutEngine: 55, withEngine: 70 };

/** Module that `openChats` of the client loads when it is called. */
const openChatsModule = 'packages/client/src/chat/openChats.ts';

/** Returns the gzipped size of `@nolo/client` as a program loads it: without the chat engine, and with it. */
export async function measureClientSizes(): Promise<{ withoutEngine: number; withEngine: number }> {
  const bundle = await rolldown({
    cwd: projectRoot,
    input: { index: join(projectRoot, 'packages/client/src/index.ts'), chats: join(projectRoot, openChatsModule) },
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, entryFileNames: '[name].js' });
  await bundle.close();
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])));
  const measure = (entries: readonly string[]): number => {
    const files = new Set<string>();
    const visit = (file: string): void => {
      if (files.has(file)) return;
      files.add(file);
      for (const imported of chunks.get(file)?.imports ?? []) visit(imported);
    };
    entries.forEach(visit);
    let bytes = 0;
    for (const file of files) bytes += gzipSync(chunks.get(file)?.code ?? '', { level: 9 }).byteLength;
    return bytes / 1_000;
  };
  return { withoutEngine: measure(['index.js']), withEngine: measure(['index.js', 'chats.js']) };
}

/** Checks the size of `@nolo/client` against its limits. */
export async function findClientSizeProblems(): Promise<string[]> {
  const sizes = await measureClientSizes();
  return (Object.keys(limits) as (keyof typeof limits)[])
    .filter((part) => sizes[part] > limits[part])
    .map(
      (part) =>
        `@nolo/client ${part === 'withEngine' ? 'with' : 'without'} the chat engine: ${sizes[part].toFixed(1)} KB of gzipped JavaScript; the limit is ${limits[part]} KB.`,
    );
}

if (import.meta.main) {
  const { withoutEngine, withEngine } = await measureClientSizes();
  process.stdout.write(
    `@nolo/client: ${withoutEngine.toFixed(1)} of ${limits.withoutEngine} kB without the chat engine, ${withEngine.toFixed(1)} of ${limits.withEngine} kB with it\n`,
  );
}
