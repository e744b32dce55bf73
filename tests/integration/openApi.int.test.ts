import { routes, type Route } from '@nolo/api';
import { TestApi, type Json } from '@nolo/testing';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let document: Json;

beforeAll(async () => {
  document = (await new TestApi(running.urls[0]!).get('/api/openapi.json')).body;
});

const table = Object.entries<Route>(routes);

/** Resolves a reference within the document. */
function resolve(reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json>((value, key) => value?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

function everyObject(value: Json, visit: (object: Record<string, Json>, path: string) => void, path = '#'): void {
  if (Array.isArray(value)) value.forEach((item, index) => everyObject(item, visit, `${path}/${index}`));
  else if (typeof value === 'object' && value !== null) {
    visit(value, path);
    for (const [key, inner] of Object.entries(value)) everyObject(inner, visit, `${path}/${key}`);
  }
}

it('is an OpenAPI 3.1 document with everything that the standard requires', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(typeof document.info.title).toBe('string');
  expect(typeof document.info.version).toBe('string');
  expect(Object.keys(document.paths).every((path) => path.startsWith('/'))).toBe(true);
  for (const server of document.servers ?? []) expect(URL.canParse(server.url, 'http://localhost')).toBe(true);
});

it('has every route of the table and no others', () => {
  const documented = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace']
      .filter((method) => item[method])
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(table.map(([, { method, path }]) => `${method} ${path}`).toSorted());
});

it.each(table)('describes the route %s', (_, route) => {
  const operation = document.paths[route.path][route.method.toLowerCase()];
  expect(operation.summary).toBe(route.summary);
  const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = ((operation.parameters ?? []) as Json[]).map(
    (one) => (one.$ref ? resolve(one.$ref) : one) as Json,
  );
  const inPath = parameters.filter((one) => one.in === 'path');
  expect(inPath.map((one) => one.name as string).toSorted()).toEqual(placeholders.toSorted());
  for (const parameter of parameters) {
    expect(['path', 'query', 'header', 'cookie']).toContain(parameter.in);
    expect(parameter.schema ?? parameter.content).toBeDefined();
    if (parameter.in === 'path') expect(parameter.required).toBe(true);
  }
  expect(parameters.some((one) => one.in === 'query')).toBe(route.query !== undefined);
  expect(operation.requestBody !== undefined).toBe(route.body !== undefined || route.bodyType !== undefined);
  if (operation.requestBody) {
    expect(Object.keys(operation.requestBody.content)).toEqual([route.bodyType ?? 'application/json']);
  }
  const statuses = Object.keys(operation.responses);
  expect(statuses).toContain(String(route.status ?? 200));
  expect(statuses.every((status) => /^([1-5](\d\d|XX)|default)$/.test(status))).toBe(true);
  for (const reply of Object.values<Json>(operation.responses)) {
    expect(typeof (reply.$ref ? (resolve(reply.$ref) as Json) : reply).description).toBe('string');
  }
  const security = (operation.security ?? document.security ?? []) as Json[];
  if (route.access === 'session') {
    expect(security.length).toBeGreaterThan(0);
    expect(statuses).toContain('401');
  }
  for (const scheme of security.flatMap((one) => Object.keys(one))) {
    expect(document.components.securitySchemes).toHaveProperty(scheme);
  }
  if (route.reply) {
    expect(operation.responses[String(route.status ?? 200)].content['application/json'].schema).toBeDefined();
  }
});

it('names each operation once, and has no dangling references', () => {
  const names = Object.values<Json>(document.paths).flatMap((item) =>
    Object.values<Json>(item).flatMap((operation) => (operation.operationId ? [operation.operationId as string] : [])),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBe(table.length);
  const dangling: string[] = [];
  everyObject(document, (object, path) => {
    const { $ref } = object;
    if (typeof $ref === 'string' && (!$ref.startsWith('#/') || resolve($ref) === undefined))
      dangling.push(`${path}: ${$ref}`);
  });
  expect(dangling).toEqual([]);
});

it('is readable as a page that loads nothing external', async () => {
  const api = new TestApi(running.urls[0]!);
  const page = await api.get('/api/docs/');
  const { status, body, headers } = page.status === 200 ? page : await api.get('/api/docs');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  const addresses = [...(body as string).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) {
    const url = new URL(address, `${running.urls[0]}/api/docs/`);
    expect(url.origin).toBe(new URL(running.urls[0]!).origin);
    expect((await api.get(url.pathname + url.search)).status).toBe(200);
  }
});
