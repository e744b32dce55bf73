import { databaseServicesOf } from '../../services.ts';
import type { Checkout } from '../checkout.ts';
import { replaceRegion } from './regions.ts';

const images = 'images';

/** Renders the Dockerfile: manifests, dependencies, migrations, and the images without a stage written by hand. */
export function renderDockerfile({ services, read }: Checkout): string {
  const names = services.map(({ name }) => name);
  const databases = databaseServicesOf(services);
  const text = read('deploy/docker/Dockerfile');
  const byHand = replaceRegion(text, images, []);
  const plain = names.filter((name) => !byHand.includes(` AS ${name}\n`));
  const regions: [region: string, lines: string[]][] = [
    ['manifests', names.map((name) => `COPY services/${name}/package.json services/${name}/`)],
    ['dependencies', separate(names.map(dependencyStage))],
    [images, separate(plain.map((name) => imageStage(name, packagesOf(name, read))))],
    ['migrations', databases.flatMap(migrationFiles)],
  ];
  return regions.reduce((rendered, [region, lines]) => replaceRegion(rendered, region, lines), text);
}

/** Joins stages with an empty line between them. */
function separate(stages: readonly string[][]): string[] {
  return stages.flatMap((stage, index) => (index === 0 ? stage : ['', ...stage]));
}

function dependencyStage(name: string): string[] {
  return [
    `FROM manifests AS ${name}-dependencies`,
    `RUN --mount=type=secret,id=ca sh /usr/local/bin/install-workspace services/${name}`,
  ];
}

function imageStage(name: string, folders: readonly string[]): string[] {
  return [
    `FROM service AS ${name}`,
    `COPY --from=${name}-dependencies /app ./`,
    ...[...folders, `services/${name}`].map((folder) => `COPY ${folder} ${folder}`),
    `CMD ["node", "services/${name}/src/main.ts"]`,
  ];
}

/** Returns the folders of our packages that a service imports. */
function packagesOf(name: string, read: Checkout['read']): string[] {
  const manifest = JSON.parse(read(`services/${name}/package.json`)) as { dependencies?: Record<string, string> };
  const ours = Object.keys(manifest.dependencies ?? {}).flatMap((one) => /^@nolo\/(.+)$/.exec(one)?.[1] ?? []);
  return ours.map((one) => (one === 'proto' ? 'proto/gen' : `packages/${one}`)).sort();
}

function migrationFiles(name: string): string[] {
  const folder = `services/${name}`;
  return [`COPY ${folder}/src/migrate.ts ${folder}/src/`, `COPY ${folder}/migrations ${folder}/migrations`];
}
