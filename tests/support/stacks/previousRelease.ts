import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../../../scripts/paths.ts';

/** Services of the previous release, ready to run, or the reason why they are missing. */
export type PreviousRelease = { root: string; why?: undefined } | { root?: undefined; why: string };

/** Files and folders that a service needs to run. */
const runtimePaths = ['package.json', 'packages', 'proto', 'services'];
const packageFolders = ['packages', 'services'];

/**
 * Extracts the release that `deploy/lastRelease` names from the history of this checkout. It is inside the project, so
 * that its services find third-party packages in the same `node_modules`, and our own packages in one of their own.
 */
export function providePreviousRelease(): PreviousRelease {
  const commit = readFileSync(join(projectRoot, 'deploy/lastRelease'), 'utf8').trim();
  const folder = join(projectRoot, '.nolo/versions');
  const root = join(folder, commit);
  if (existsSync(root)) return { root };
  const half = join(folder, `${commit}.${process.pid}`);
  try {
    mkdirSync(half, { recursive: true });
    unpack(commit, half);
    link(half);
  } catch {
    rmSync(half, { recursive: true, force: true });
    return { why: `Commit ${commit} of the previous release is not in the history of this checkout.` };
  }
  try {
    renameSync(half, root);
  } catch {
    // A concurrent process finished first.
    rmSync(half, { recursive: true, force: true });
  }
  return { root };
}

function unpack(commit: string, into: string): void {
  const archive = execFileSync('git', ['archive', '--format=tar', commit, ...runtimePaths], {
    cwd: projectRoot,
    maxBuffer: 512 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  execFileSync('tar', ['-x'], { cwd: into, input: archive });
}

/** Links its own packages by their names, and the separately installed packages of a service. */
function link(root: string): void {
  const modules = join(root, 'node_modules/@nolo');
  mkdirSync(modules, { recursive: true });
  const folders = packageFolders.flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)));
  for (const folder of ['proto', ...folders]) {
    const { name } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string };
    const place = join(root, 'node_modules', name);
    symlinkSync(relative(dirname(place), join(root, folder)), place);
    const own = join(projectRoot, folder, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(root, folder, 'node_modules'));
  }
}
