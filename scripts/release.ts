/**
 * `npm run release -- <version>`: sets the version everywhere, moves `changes/` into the changelog, commits, tags the
 * commit, and names it in `deploy/lastRelease`, so that what follows is tested against it.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';
import { renderChangelogSection, readChanges, insertChangelogSection } from './release/changes.ts';
import { replaceVersion } from './release/versions.ts';

const at = (path: string) => join(projectRoot, path);
const read = (path: string) => readFileSync(at(path), 'utf8');

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
}

function setVersions(version: string): void {
  for (const path of git('ls-files', '-z').split('\0').filter(Boolean)) {
    if (!/\.(?:json|ya?ml)$|Dockerfile$/.test(path)) continue;
    const text = read(path);
    const changed = replaceVersion(path, text, version);
    if (changed !== text) writeFileSync(at(path), changed);
  }
}

function release(version: string): void {
  if (git('status', '--porcelain') !== '') throw new Error('Commit or stash your changes first.');
  const paths = readdirSync(at('changes'))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) => `changes/${name}`);
  const changes = readChanges(paths.map((path) => ({ path, text: read(path) })));
  const section = renderChangelogSection(version, new Date().toISOString().slice(0, 10), changes);
  writeFileSync(at('CHANGELOG.md'), insertChangelogSection(read('CHANGELOG.md'), section));
  for (const path of paths) rmSync(at(path));
  setVersions(version);
  git('add', '--all');
  git('commit', '--message', `release: ${version}`, '--message', section.split('\n').slice(2).join('\n'));
  const commit = git('rev-parse', 'HEAD');
  git('tag', '--force', `v${version}`, commit);
  writeFileSync(at('deploy/lastRelease'), `${commit}\n`);
  git('add', 'deploy/lastRelease');
  const reason = 'The tests run the services of the last release on the schema of this checkout.';
  git('commit', '--message', `release: test against ${version}`, '--message', reason);
  process.stdout.write(`Released ${version} as ${commit}. Push main, and the tag if the remote accepts tags.\n`);
}

const version = process.argv[2] ?? '';
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write('Name the version: npm run release -- 0.2.0\n');
  process.exitCode = 1;
} else {
  try {
    release(version);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
