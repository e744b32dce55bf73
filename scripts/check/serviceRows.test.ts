import type { ServiceEntry } from '../services.ts';
import { openCheckout } from './checkout.ts';
import { findServiceRowProblems, renderServiceRows } from './serviceRows.ts';
import { insertSection, replaceMatches, replaceRegion, replaceRun } from './serviceRows/regions.ts';

const checkout = openCheckout();

test('the rows of all services match services.json', async () => {
  expect(await findServiceRowProblems(checkout)).toEqual([]);
});

test('an outdated file is reported', async () => {
  const read = (path: string) => checkout.read(path).replace("services='chat files", "services='files");
  expect(await findServiceRowProblems({ ...checkout, read })).toEqual([
    'deploy/backup/nolo-backup.sh is outdated. Run `npm run generate`.',
  ]);
});

test.each([
  ['proto/package.json', '"./chat":', '"./chats":'],
  ['deploy/docker/Dockerfile', 'COPY services/chat/package.json', 'COPY services/chats/package.json'],
  ['deploy/docker/Dockerfile', ' AS chat-dependencies\n', ' AS chats-dependencies\n'],
  ['deploy/docker/Dockerfile', ' AS chat\n', ' AS chats\n'],
  ['deploy/docker/Dockerfile', ' AS files\n', ' AS uploads\n'],
  ['deploy/docker/Dockerfile', 'COPY services/chat/migrations', 'COPY services/chats/migrations'],
  ['deploy/compose.yaml', '\n  chat:\n    <<: *service', '\n  chats:\n    <<: *service'],
  ['deploy/compose.yaml', '\n  migrate-chat:\n', '\n  migrate-chats:\n'],
  ['deploy/compose.yaml', 'profiles: [webhooks]\n    command', 'profiles: [hooks]\n    command'],
  ['deploy/compose.yaml', 'CHAT_DATABASE_URL: *chat-url', 'CHATS_DATABASE_URL: *chat-url'],
  ['deploy/compose.yaml', 'CHAT_ADDR: chat:7000', 'CHATS_ADDR: chat:7000'],
  ['deploy/env.example', 'CHAT_DATABASE_PASSWORD=', 'CHATS_DATABASE_PASSWORD='],
  ['deploy/helm/nolo/values.yaml', '\nchat:\n', '\nchats:\n'],
  ['deploy/helm/nolo/values.yaml', 'chatDatabaseUrl:', 'chatsDatabaseUrl:'],
  ['deploy/helm/nolo/values.schema.json', '"chatDatabaseUrl"', '"chatsDatabaseUrl"'],
  ['deploy/helm/nolo/values.schema.json', '"chat":', '"chats":'],
  ['deploy/helm/nolo/README.md', 'CHAT_DATABASE_URL=', 'CHATS_DATABASE_URL='],
  ['deploy/grafana/alerts.yaml', 'gateway|identity|chat|', 'gateway|identity|'],
  ['deploy/grafana/alerts.yaml', 'absent(nolo_build_info{service="chat"})', 'absent(nolo_build_info{service="files"})'],
  ['deploy/grafana/alerts.test.yaml', 'nolo_build_info{service="files"', 'nolo_build_info{service="chat"'],
  ['deploy/backup/nolo-backup.sh', "services='chat files", "services='files"],
  ['docs/operating/scale.md', '+ 2 + 1 = ', '+ 2 + 1 = 1'],
])('a wrong row in %s is noticed: %s', async (file, present, changed) => {
  const wrong = checkout.read(file).replace(present, changed);
  expect(wrong).not.toBe(checkout.read(file));
  const read = (path: string) => (path === file ? wrong : checkout.read(path));
  expect(await renderServiceRows(file, { ...checkout, read })).not.toBe(wrong);
});

test('a stage, a container, and values written by hand are left alone', async () => {
  const edits: [string, string, string][] = [
    ['deploy/docker/Dockerfile', 'ENV FILES_DIR=/data', 'ENV FILES_DIR=/uploads'],
    ['deploy/compose.yaml', '\n    mem_limit: 2816m', '\n    mem_limit: 3g'],
    ['deploy/helm/nolo/values.yaml', 'databasePoolMax: 4', 'databasePoolMax: 4\n  mine: 1'],
  ];
  const read = (path: string) =>
    edits.reduce((text, [file, from, to]) => (file === path ? text.replace(from, to) : text), checkout.read(path));
  for (const [path, , to] of edits) expect(read(path)).toContain(to);
  expect(await findServiceRowProblems({ ...checkout, read })).toEqual([]);
});

test('an optional service is off in the chart, has its profile, and no alert for its absence', async () => {
  const service: ServiceEntry = {
    name: 'example',
    optional: true,
    profile: 'examples',
    port: 7000,
    stores: ['postgres'],
    calls: ['billing'],
    variables: [],
  };
  const withExample = { ...checkout, services: [...checkout.services, service] };
  const compose = await renderServiceRows('deploy/compose.yaml', withExample);
  expect(compose).toContain('  example: &example-addresses\n    BILLING_ADDR: ${BILLING_ADDR:-}\n');
  expect(compose).toContain('\n  migrate-example:\n    <<: *migration\n    profiles: [examples]\n');
  expect(compose).toContain('\n  example:\n    <<: *service\n    mem_limit: 512m\n    profiles: [examples]\n');
  const values = await renderServiceRows('deploy/helm/nolo/values.yaml', withExample);
  expect(values).toContain('\nexample:\n  enabled: false\n  replicas: 1\n');
  const schema = JSON.parse(await renderServiceRows('deploy/helm/nolo/values.schema.json', withExample)) as {
    properties: { example: { properties: object } };
  };
  expect(Object.keys(schema.properties.example.properties)).toEqual(expect.arrayContaining(['enabled', 'replicas']));
  const alerts = await renderServiceRows('deploy/grafana/alerts.yaml', withExample);
  expect(alerts).toContain('|example"');
  expect(alerts).not.toContain('absent(nolo_build_info{service="example"})');
});

describe('regions', () => {
  const text = 'a:\n  # Generated from services.json: names\n  old: 1\n  # End: names\n  b: 2\n';

  it('replaces only the lines between the comments, at their indentation', () => {
    expect(replaceRegion(text, 'names', ['x: 1', '', 'y: 2'])).toBe(
      'a:\n  # Generated from services.json: names\n  x: 1\n\n  y: 2\n  # End: names\n  b: 2\n',
    );
    expect(() => replaceRegion(text, 'ports', [])).toThrow('“ports”');
  });

  it('replaces the first run of lines', () => {
    expect(replaceRun('a\nrow 1\nrow 2\nb\nrow 3\n', /^row/, ['row'])).toBe('a\nrow\nb\nrow 3\n');
    expect(replaceRun('a\nrow 1', /^row/, ['row', 'row'])).toBe('a\nrow\nrow');
    expect(() => replaceRun('a', /^row/, [])).toThrow('No line');
  });

  it('inserts a section before another and its comments', () => {
    expect(insertSection('a: 1\n\n# About b.\nb:\n', 'b:', ['c: 1'])).toBe('a: 1\n\nc: 1\n\n# About b.\nb:\n');
    expect(() => insertSection('a: 1\n', 'b:', [])).toThrow('“b:”');
  });

  it('refuses a text without a match', () => {
    expect(replaceMatches("list='a b'", /'.*'/, "'$&'")).toBe("list='$&'");
    expect(() => replaceMatches('', /'.*'/, '')).toThrow('Nothing matches');
  });
});
