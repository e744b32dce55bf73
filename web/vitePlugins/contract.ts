import { fileURLToPath } from 'node:url';
import * as api from '@nolo/api';
import type { Route } from '@nolo/api';
import * as rules from '@nolo/rules';
import type { Plugin } from 'vite';

const name = '@nolo/api';
const contract = `\0${name}`;
/** Module that exports the routes of all areas. */
export const routeAddresses = `\0${name}/routes`;
/** Module of the routes that the first screen may call. */
export const firstRouteAddresses = `${routeAddresses}/first`;
const limitsFile = fileURLToPath(new URL('../../packages/rules/src/limits.ts', import.meta.url));
const limits = '\0@nolo/rules/limits';

const lazyTags: ReadonlySet<string> = new Set([
  'keys',
  'groups',
  'meetings',
  'calls',
  'status',
  'social',
  'billing',
  'tokens',
  'webhooks',
  'notifications',
  'admin',
]);

/** Returns one constant per value, so that unused ones are dropped from the build. */
const constants = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .map(([constant, value]) => `export const ${constant} = ${JSON.stringify(value)};`)
    .join('\n');

/**
 * Gives the app the contract's paths and constants without its schemas: the web calls the gateway, which validates, and
 * zod would be larger than the rest of the client. Only the limits that it uses are included. Types come from the real
 * package, so nothing is written twice. Importing a schema's value fails the build.
 */
export function contractWithoutSchemas(): Plugin {
  const { routes, nextCursorHeader, closeCodes } = api;
  // Signed URLs are provided complete.
  const called = Object.entries<Route>(routes).filter(([, { access }]) => access !== 'signed');
  const areaOf = (tag: string): string => (lazyTags.has(tag) ? tag : 'first');
  // Paths of areas that the first screen does not use load with the screens that do.
  const areas = ['first', ...lazyTags].map((area): [string, string] => [
    `${routeAddresses}/${area}`,
    constants(
      Object.fromEntries(
        called
          .filter(([, { tag }]) => areaOf(tag) === area)
          // A missing method means GET, as for fetch. Many routes use it, so omitting it saves space.
          .map(([route, { method, path, seals, opens }]) => [
            route,
            { method: method === 'GET' ? undefined : method, path, seals, opens },
          ]),
      ),
    ),
  ]);
  const modules = new Map([
    [
      contract,
      `export * as routes from ${JSON.stringify(routeAddresses)};\n${constants({ nextCursorHeader, closeCodes })}`,
    ],
    [routeAddresses, areas.map(([area]) => `export * from ${JSON.stringify(area)};`).join('\n')],
    ...areas,
    // Most limits are for the server only.
    [limits, constants(rules.limits)],
  ]);
  return {
    name: 'nolo-contract-without-schemas',
    enforce: 'pre',
    resolveId: (id) => (id === name ? contract : modules.has(id) ? id : undefined),
    load(id) {
      const code = modules.get(id);
      // Importing one path does not load the others.
      return code === undefined ? undefined : { code, moduleSideEffects: false };
    },
    transform: (code, id) =>
      id === limitsFile
        ? code.replace('export const limits =', `export * as limits from ${JSON.stringify(limits)};\nconst all =`)
        : undefined,
  };
}
