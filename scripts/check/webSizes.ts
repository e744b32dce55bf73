import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../paths.ts';
import { silentProgress } from '../progress.ts';
import { buildWeb } from '../webBuild.ts';

interface Size {
  name: string;
  kilobytes: number;
  limitKilobytes: number;
}

interface SizeModule {
  measureSizes: () => Promise<Size[]> | Size[];
}

/** Builds the web app if it is outdated, and checks the sizes of what the browser loads against their limits. */
export async function findSizeProblems(): Promise<string[]> {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  await buildWeb(silentProgress, { line: keep, appendNotice: keep, lastLines: (count) => lines.slice(-count) });
  const { measureSizes } = (await import(pathToFileURL(join(projectRoot, 'web/scripts/size.ts')).href)) as SizeModule;
  const sizes = await measureSizes();
  if (sizes.length === 0) return ['web/scripts/size.ts measured nothing.'];
  return sizes
    .filter(({ kilobytes, limitKilobytes }) => kilobytes > limitKilobytes)
    .map(
      ({ name, kilobytes, limitKilobytes }) =>
        `${name}: ${kilobytes.toFixed(1)} KB of gzipped JavaScript; the limit is ${limitKilobytes} KB.`,
    );
}
