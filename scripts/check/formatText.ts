import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../paths.ts';

/** Formats the text of a file as `npm run format` would. */
export async function formatText(path: string, text: string): Promise<string> {
  const filepath = join(projectRoot, path);
  return await format(text, { ...(await resolveConfig(filepath)), filepath });
}
