import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
const read = (file: string) =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    workspaces?: string[];
    dependencies?: Record<string, string>;
  };

test('an image copies the manifest of every workspace, because the lock file names them all', () => {
  const manifests = globSync(
    (read('package.json').workspaces ?? []).map((one) => join(one, 'package.json')),
    {
      cwd: root,
    },
  );
  expect(manifests.length).toBeGreaterThan(15);
  for (const manifest of manifests) expect(dockerfile).toContain(`COPY ${manifest} ${dirname(manifest)}/\n`);
});

test('the stage that builds the web copies every package that the web imports', () => {
  const [, stage = ''] = /^FROM manifests AS web\n([\s\S]*?)^# ----/m.exec(dockerfile) ?? [];
  const ours = Object.keys(read('web/package.json').dependencies ?? {}).filter((name) => name.startsWith('@nolo/'));
  expect(ours).toContain('@nolo/client');
  for (const name of ours) {
    const folder = name.replace('@nolo/', 'packages/');
    expect(stage).toContain(`COPY ${folder} ${folder}\n`);
  }
});
