import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getCacheFolder, findProgram, projectRoot } from '../paths.ts';
import { runCommand, lastOutputLines } from '../runCommand.ts';
import { downloadGoModule, findGo } from './goTools.ts';

const prometheus = { module: 'github.com/prometheus/prometheus', version: 'v0.315.0' };
/** Version of the build. Increase it when promRules/main.go changes. */
const edition = 1;

/**
 * Returns the path of promtool: the machine's own, or the required subset of it, built once. Throws a readable message.
 */
export async function providePromtool(): Promise<string> {
  const own = findProgram('promtool');
  if (own !== undefined) return own;
  const folder = join(getCacheFolder(), 'go', `promtool-${prometheus.version}-${edition}`);
  const built = join(folder, 'promtool');
  if (existsSync(built)) return built;
  const go = findGo('promtool was not found.');
  console.log(`       Building promtool ${prometheus.version} with Go (once; a minute or two)`);
  await mkdir(join(getCacheFolder(), 'go'), { recursive: true });
  const making = await mkdtemp(`${folder}.`);
  try {
    const source = await downloadGoModule(prometheus.module, prometheus.version);
    await copyFile(join(source, 'cmd/promtool/unittest.go'), join(making, 'unittest.go'));
    await copyFile(join(projectRoot, 'scripts/check/promRules/main.go'), join(making, 'main.go'));
    await writeFile(
      join(making, 'go.mod'),
      `module nolo.local/promtool\n\ngo 1.25\n\nrequire ${prometheus.module} ${prometheus.version}\n`,
    );
    for (const args of [
      ['mod', 'tidy'],
      ['build', '-o', 'promtool', '.'],
    ]) {
      const { code, output } = await runCommand(go, args, { cwd: making, env: process.env, timeoutMs: 15 * 60_000 });
      if (code !== 0) throw new Error(`Go could not build promtool: ${lastOutputLines(output)}`);
    }
    // A concurrent check may have finished first; its build is equally good.
    await rename(making, folder).catch(() => undefined);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return built;
}
