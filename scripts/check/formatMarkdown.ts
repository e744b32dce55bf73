import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../paths.ts';

/** Formats a generated page as `npm run format` would. */
export async function formatMarkdown(text: string): Promise<string> {
  const filepath = join(projectRoot, 'docs/page.md');
  return await format(text, { ...(await resolveConfig(filepath)), filepath });
}
