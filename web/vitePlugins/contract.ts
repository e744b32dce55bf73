import * as api from '@nolo/api';
import type { Plugin } from 'vite';

const name = '@nolo/api';
const resolved = `\0${name}`;

/**
 * Gives the app the contract's addresses and constants without its schemas: the web calls the gateway, which validates,
 * and zod would weigh more than the rest of the client. Types come from the real package, so nothing is written twice;
 * importing a schema's value fails the build.
 */
export function contractWithoutSchemas(): Plugin {
  const { routes, nextCursorHeader, closeCodes } = api;
  // What names no method is a GET, as for fetch; so many of them are worth leaving it out.
  const addresses = Object.entries(routes)
    // Signed addresses are handed out whole.
    .filter(([, { access }]) => access !== 'signed')
    .map(([route, { method, path }]) => [route, { method: method === 'GET' ? undefined : method, path }]);
  const constants = { routes: Object.fromEntries(addresses), nextCursorHeader, closeCodes };
  return {
    name: 'nolo-contract-without-schemas',
    enforce: 'pre',
    resolveId: (id) => (id === name ? resolved : undefined),
    load: (id) =>
      id === resolved
        ? Object.entries(constants)
            .map(([constant, value]) => `export const ${constant} = ${JSON.stringify(value)};`)
            .join('\n')
        : undefined,
  };
}
