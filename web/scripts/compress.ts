import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

const compressible = /\.(?:html|js|css|json|webmanifest|svg|txt|wasm)$/;
/** Minimum size; below it, the headers weigh as much as the savings. */
const leastBytes = 1_024;
/** Size above which the best compression costs seconds of CPU, for a file that few people load. */
const largeBytes = 1_000_000;

async function compressFile(file: string): Promise<void> {
  const body = await readFile(file);
  if (body.length < leastBytes) return;
  const large = body.length > largeBytes;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: large ? 5 : 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gz] = await Promise.all([brotli(body, { params }), deflate(body, { level: large ? 6 : 9 })]);
  if (br.length < body.length) await writeFile(`${file}.br`, br);
  if (gz.length < body.length) await writeFile(`${file}.gz`, gz);
}

/** Adds compressed forms next to the files of a build, for the gateway to send as they are. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && compressible.test(entry.name) && !entry.name.startsWith('.'),
  );
  // The thread pool processes a few at a time.
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
}
