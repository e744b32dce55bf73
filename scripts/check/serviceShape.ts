import type { TextFile } from './trackedFiles.ts';

const required = ['README.md', 'package.json', 'src/main.ts', 'src/app.ts', 'src/config.ts', 'src/errors.ts'] as const;

/** Folders of a service's code. Files directly in `src` are its entry points, configuration and errors. */
const commonFolders = ['rpc', 'domain', 'store', 'events', 'jobs'];

/** Additional folders of a service that talks to something no other service does. */
const ownFolders: Record<string, readonly string[]> = {
  identity: ['commands', 'sms', 'mail'],
  files: ['archive', 'images', 'storage', 'worker'],
  'media-sfu': ['media'],
  meetings: ['live'],
  transcriber: ['audio', 'engines', 'worker'],
  'social-scheduler': ['keys', 'platforms'],
  billing: ['gateways', 'mail'],
  notifications: ['outbound'],
  gateway: ['commands', 'http', 'mapping', 'routes', 'sockets', 'signIn', 'docs', 'links', 'imports'],
};

const forbiddenNames = /(^|\/)(utils?|helpers?|common|managers?|misc|shared)(\.tsx?$|\/)|Manager\.tsx?$/;

/** Checks that every service has the same structure. */
export function findShapeProblems(files: readonly TextFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const services = new Set([...paths].flatMap((path) => /^services\/([^/]+)\/src\//.exec(path)?.[1] ?? []));
  const problems: string[] = [];

  for (const service of services) {
    const base = `services/${service}/`;
    for (const file of required) {
      if (!paths.has(base + file)) problems.push(`${base}${file} is missing; every service has it.`);
    }
    if ([...paths].some((path) => path.startsWith(`${base}migrations/`)) && !paths.has(`${base}src/migrate.ts`)) {
      problems.push(`${base}src/migrate.ts is missing, so nothing runs its migrations.`);
    }
    const allowed = [...commonFolders, ...(ownFolders[service] ?? [])];
    for (const path of paths) {
      const folder = path.startsWith(`${base}src/`) ? path.slice(`${base}src/`.length).split('/') : [];
      const [first] = folder;
      if (folder.length > 1 && first !== undefined && !allowed.includes(first)) {
        problems.push(`${path}: the src folder of a service may contain ${allowed.join(', ')}, but not “${first}”.`);
      }
      const handler = new RegExp(`^${base}src/events/([^/]+)\\.ts$`).exec(path)?.[1];
      if (handler !== undefined && !/^on[A-Z]/.test(handler)) {
        problems.push(`${path}: name event handlers on<Subject>.`);
      }
    }
    problems.push(...findRpcProblems(service, files));
  }
  for (const path of paths) {
    if (/\.(ts|tsx)$/.test(path) && forbiddenNames.test(path)) {
      problems.push(`${path}: name it after what it does; utils, helpers, common, and manager are too vague.`);
    }
  }
  return problems;
}

/**
 * Checks that each resource has one file with a function per RPC, with the RPC's name. Every RPC of the
 * contract is in one place, and no file exists for a single RPC.
 */
function findRpcProblems(service: string, files: readonly TextFile[]): string[] {
  const contracts = { 'media-sfu': 'media', 'social-scheduler': 'social' }[service] ?? service;
  const names = files
    .filter(({ path }) => path.startsWith(`proto/nolo/${contracts}/v1/`) && path.endsWith('.proto'))
    .flatMap(({ text }) => [...text.matchAll(/^\s*rpc\s+(\w+)/gm)])
    .flatMap(([, name]) => (name === undefined ? [] : [name.charAt(0).toLowerCase() + name.slice(1)]));
  const folder = `services/${service}/src/rpc/`;
  const code = files.filter(({ path }) => path.startsWith(folder) && !path.endsWith('.test.ts'));
  return names.flatMap((name) => {
    const declared = new RegExp(`^(export )?(async )?function ${name}\\b`, 'm');
    const count = code.filter(({ text }) => declared.test(text)).length;
    const alone = code.filter(({ path }) => path.endsWith(`/${name}.ts`));
    return [
      ...(count === 1
        ? []
        : [`${folder} has ${count} functions ${name}: an RPC needs exactly one, in the file of its resource.`]),
      ...alone.map(({ path }) => `${path}: name it after the resource, and put all its RPCs there.`),
    ];
  });
}
