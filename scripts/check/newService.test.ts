import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../paths.ts';
import type { ServiceEntry } from '../services.ts';
import { openCheckout, type Checkout } from './checkout.ts';
import { findServiceListProblems } from './serviceList.ts';
import { findServiceRowProblems, writeServiceRows } from './serviceRows.ts';

/** Adds a service to a copy of everything that lists services, as `docs/new-service.md` describes. */

const copied = [
  'services.json',
  'package.json',
  'README.md',
  'docs/ARCHITECTURE.md',
  'docs/operating/scale.md',
  'deploy',
  'proto/package.json',
  'proto/nolo',
  'services/gateway/tests/startGateway.ts',
];

const root = mkdtempSync(join(tmpdir(), 'nolo-service-'));
/** Paths of the files outside the folder of the new service that a person edits. */
const editedByHand = new Set<string>();

beforeAll(() => {
  cpSync(join(projectRoot, 'services'), join(root, 'services'), {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|tests|migrations|dist)$|\.test\.ts$/.test(path),
  });
  for (const path of copied) cpSync(join(projectRoot, path), join(root, path), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
});

afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Writes a file outside the service's folder. */
function writeByHand(path: string, text: string): void {
  editedByHand.add(path);
  write(path, text);
}

/** Replaces a text in a file outside the service's folder. */
function edit(path: string, present: string, changed: string): void {
  const text = openCheckout(root).read(path);
  expect(text).toContain(present);
  writeByHand(path, text.replace(present, changed));
}

/** Writes the folder of a service with Postgres that calls identity. */
function writeServiceFolder(): void {
  const dependencies = { '@nolo/installation': '*', '@nolo/kit': '*', '@nolo/proto': '*', zod: '*' };
  write('services/example/package.json', JSON.stringify({ name: '@nolo/example', dependencies }));
  write('services/example/README.md', '# example\n');
  write('services/example/src/main.ts', '');
  write('services/example/src/migrate.ts', '');
  const config = `import { commonConfig, createHostPortSchema } from '@nolo/kit/config';
import { z } from 'zod';

export const configSchema = z.object({
  ...commonConfig,
  IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
});
`;
  write('services/example/src/config.ts', config);
}

/** Makes the edits outside the service's folder. The gateway calls the service. */
function editByHand(): void {
  const entry: ServiceEntry = {
    name: 'example',
    port: 7000,
    stores: ['postgres', 'redis', 'nats'],
    calls: ['identity'],
    variables: [],
  };
  const list = openCheckout(root).services.map((one) =>
    one.name === 'gateway' ? { ...one, calls: [...one.calls, entry.name] } : one,
  );
  writeByHand('services.json', JSON.stringify([...list, entry]));
  writeByHand('proto/nolo/example/v1/example.proto', 'syntax = "proto3";\n\npackage nolo.example.v1;\n');
  edit(
    'services/gateway/src/config.ts',
    '  MEETINGS_ADDR: createHostPortSchema()',
    "  EXAMPLE_ADDR: createHostPortSchema().describe('Address.'),\n  MEETINGS_ADDR: createHostPortSchema()",
  );
  edit(
    'services/gateway/src/clients.ts',
    "  status: [StatusServiceDefinition, 'STATUS_ADDR'],\n",
    "  status: [StatusServiceDefinition, 'STATUS_ADDR'],\n  example: [ExampleServiceDefinition, 'EXAMPLE_ADDR'],\n",
  );
  edit(
    'services/gateway/tests/startGateway.ts',
    '    STATUS_ADDR: [memoryStatus()],\n',
    '    STATUS_ADDR: [memoryStatus()],\n    EXAMPLE_ADDR: [],\n',
  );
  edit(
    'docs/ARCHITECTURE.md',
    '| `services/media-sfu` |',
    '| `services/example` | examples | x |\n| `services/media-sfu` |',
  );
  edit('README.md', '\nsimulators/ ', ', example\nsimulators/ ');
}

async function findProblems(checkout: Checkout): Promise<string[]> {
  return [...(await findServiceRowProblems(checkout)), ...(await findServiceListProblems(checkout))];
}

/** Returns the files that `docs/new-service.md` says to edit, with the names of this service and its caller. */
function documentedFiles(): string[] {
  const page = openCheckout().read('docs/new-service.md');
  const paths = [...page.matchAll(/^ *\| `([^`]+)` +\|/gm)].map(([, path = '']) => path);
  return paths.map((path) => path.replaceAll('<service>', 'example').replaceAll('<caller>', 'gateway'));
}

test('a new service needs at most eight edits by hand outside its folder, those documented', async () => {
  writeServiceFolder();
  editByHand();
  expect(editedByHand.size).toBeLessThanOrEqual(8);
  expect([...editedByHand].sort()).toEqual(documentedFiles().sort());

  const checkout = openCheckout(root);
  const generated = await writeServiceRows(checkout);
  expect(generated.filter((path) => editedByHand.has(path))).toEqual([]);
  expect(await findProblems(checkout)).toEqual([]);

  const { read } = checkout;
  expect(read('proto/package.json')).toContain('"./example": "./gen/nolo/example/v1/example.ts"');
  expect(read('deploy/docker/Dockerfile')).toContain(
    'COPY packages/kit packages/kit\nCOPY proto/gen proto/gen\nCOPY services/example services/example\n',
  );
  expect(read('deploy/compose.yaml')).toContain(
    '      migrate-example: { condition: service_completed_successfully }\n',
  );
  expect(read('deploy/helm/nolo/values.yaml')).toContain('\nexample:\n  replicas: 1\n');
  expect(read('deploy/grafana/alerts.yaml')).toContain('absent(nolo_build_info{service="example"})');

  write('README.md', openCheckout().read('README.md'));
  expect(await findProblems(checkout)).toEqual(['README.md: example is missing.']);
});
