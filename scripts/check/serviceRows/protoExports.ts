import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from '../checkout.ts';
import { formatText } from '../formatText.ts';

/** Renders the manifest of @nolo/proto, which exports each `.proto` file under its name in camelCase. */
export async function renderProtoManifest({ root, read }: Checkout): Promise<string> {
  const path = 'proto/package.json';
  const files = globSync('nolo/*/v1/*.proto', { cwd: join(root, 'proto') }).sort();
  const exports = files.map((file) => {
    const [, name = ''] = /([^/]+)\.proto$/.exec(file) ?? [];
    const camelCase = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return [`./${camelCase}`, `./gen/${file.replace(/\.proto$/, '.ts')}`] as const;
  });
  const [twice] = exports.filter(([name], index) => exports.findIndex(([other]) => other === name) < index);
  if (twice) throw new Error(`${twice[1]}: another service has a file with this name; rename one of them.`);
  const manifest = JSON.parse(read(path)) as Record<string, unknown>;
  const rendered = JSON.stringify({ ...manifest, exports: Object.fromEntries(exports) }, undefined, 2);
  return await formatText(path, rendered);
}
