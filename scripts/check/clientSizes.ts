import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { projectRoot } from '../paths.ts';

/** Limits in kilobytes of gzipped JavaScript. A program without chats and keys loads only the first part. */
const limits = { withoutEngine: 55, withEngine: 72, withKeys: 170 };

const partNames: Readonly<Record<keyof typeof limits, string>> = {
  withoutEngine: 'without the chat engine',
  withEngine: 'with the chat engine',
  withKeys: 'with keys, without the chat engine',
};

/** Module that `openChats` of the client loads when it is called. */
const openChatsModule = 'packages/client/src/chat/openChats.ts';

/** Module that `openKeys` of the client loads when it is called. */
const openKeysModule = 'packages/client/src/keys/openClientKeys.ts';

/** Returns the gzipped sizes of `@nolo/client` as programs load it. */
async function measureClientSizes(): Promise<Record<keyof typeof limits, number>> {
  const bundle = await rolldown({
    cwd: projectRoot,
    input: {
      index: join(projectRoot, 'packages/client/src/index.ts'),
      chats: join(projectRoot, openChatsModule),
      keys: join(projectRoot, openKeysModule),
    },
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
  return {
    withoutEngine: measure(['index.js']),
    withEngine: measure(['index.js', 'chats.js']),
    withKeys: measure(['index.js', 'keys.js']),
  };
}

/** Checks the size of `@nolo/client` against its limits. */
export async function findClientSizeProblems(): Promise<string[]> {
  const sizes = await measureClientSizes();
  return (Object.keys(limits) as (keyof typeof limits)[])
    .filter((part) => sizes[part] > limits[part])
    .map(
      (part) =>
        `@nolo/client ${partNames[part]}: ${sizes[part].toFixed(1)} KB of gzipped JavaScript; the limit is ${limits[part]} KB.`,
    );
}

if (import.meta.main) {
  const sizes = await measureClientSizes();
  for (const part of Object.keys(limits) as (keyof typeof limits)[])
    process.stdout.write(
      `@nolo/client ${partNames[part]}: ${sizes[part].toFixed(1)} of ${limits[part]} kB of gzipped JavaScript\n`,
    );
}
