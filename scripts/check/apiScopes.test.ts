import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes, type Route } from '@nolo/api';
import { rateLimits, limits, tokenScopes } from '@nolo/rules';
import { projectRoot } from '../paths.ts';

const page = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');

test('the API page lists every scope, in order, and no other', () => {
  const documentedScopes = [...page.matchAll(/^\| `(\w+:\w+)` +\|/gm)].map(([, scope]) => scope);
  expect(documentedScopes).toEqual([...tokenScopes]);
});

test('its numbers are correct', () => {
  expect(page).toContain(`at most ${limits.accessTokensPerUser} tokens`);
  expect(page).toContain(`for ${limits.accessTokenKeptDays} days`);
  expect(page).toContain(`${rateLimits.requestsPerToken.points} requests a minute`);
  const minutes = [limits.proofSeconds, limits.operatorProofSeconds].map((seconds) => seconds / 60);
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`the last ${minutes[0]} minutes (${minutes[1]} for operators)`);
  expect([rateLimits.requestsPerToken.durationSeconds, limits.accessTokenDaysMax]).toEqual([60, 365]);
});

test('its examples call routes that accept tokens', () => {
  const requestedPaths = [...page.matchAll(/\$NOLO(\/api\/[\w/-]+)/g)].map(([, path]) => path);
  expect(requestedPaths.length).toBeGreaterThan(2);
  const taking = Object.values<Route>(routes).flatMap(({ path, scope }) => (scope === undefined ? [] : path));
  expect(requestedPaths.filter((path) => !taking.includes(path ?? ''))).toEqual([]);
});

test('read scopes change nothing, and only session routes name a scope', () => {
  const wrong = Object.entries<Route>(routes).filter(
    ([, { access, method, scope, changes }]) =>
      scope !== undefined &&
      (access !== 'session' || (scope.endsWith(':read') && (method !== 'GET' || changes === true))),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});
