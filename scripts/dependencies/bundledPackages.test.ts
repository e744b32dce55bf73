import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { bundledPackages } from './bundledPackages.ts';

const packageOf = (name: string) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
const names = new Set<string>(bundledPackages);
const packages = new Set([...names].map(packageOf));

test('every import name of a bundled package is bundled, because a second copy would duplicate its classes', () => {
  const files = globSync(
    ['packages/*/src/**/*.ts', 'services/*/src/**/*.ts', 'simulators/src/**/*.ts', 'proto/gen/**/*.ts'],
    {
      cwd: projectRoot,
    },
  );
  const missing = files.flatMap((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8').replace(/import type [^;]*;/g, '');
    const taken = [...text.matchAll(/(?:from |import |import\()'([^'.][^']*)'/g)].map(([, name = '']) => name);
    return taken.filter((name) => packages.has(packageOf(name)) && !names.has(name)).map((name) => `${file}: ${name}`);
  });
  expect(files.length).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});

test('no workspace has its own version of a bundled package', () => {
  const places = globSync('{packages/*,services/*,proto,simulators,tests}/package.json', { cwd: projectRoot });
  const own = places.flatMap((place) =>
    [...packages]
      .map((name) => join(dirname(place), 'node_modules', name))
      .filter((path) => existsSync(join(projectRoot, path))),
  );
  expect(places.length).toBeGreaterThan(15);
  expect(own).toEqual([]);
});
