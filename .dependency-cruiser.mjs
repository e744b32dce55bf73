// Allowed imports: docs/ARCHITECTURE.md draws them, these rules enforce them. Type-only imports count too, because a
// type borrowed from the wrong room couples two rooms just as much.

const tests = '(\\.test\\.tsx?$|/tests/|^tests/)';
const ours = '^(packages|proto|services|simulators|web|tests|scripts)/';

const inputOutput = [
  '^node:(fs|net|tls|http|http2|https|dgram|dns|child_process|worker_threads|cluster)',
  '^(fs|net|tls|http|http2|https|dgram|dns|child_process|worker_threads|cluster)(/|$)',
  'node_modules/(knex|pg|ioredis|express|ws|pino|bullmq|twilio|openid-client|rate-limiter-flexible|prom-client)/',
  'node_modules/@(grpc|nats-io|aws-sdk)/',
];

/**
 * The rooms (modules) of the web app, highest first. Each room may import only rooms below it, types included, so no
 * two rooms import each other. If a room shows something from a higher room, `app` injects it (nothing imports `app`),
 * or a small store below both provides it (`chat/calling`, `shell/postRequests.ts`).
 */
const rooms = [
  'app',
  'admin',
  'notifications',
  'developer',
  'billing',
  'social',
  'status',
  'calls',
  'meetings/room',
  'meetings',
  'groups',
  'landing',
  'account/profile',
  'account/security',
  'account/signIn',
  'account/factor',
  'account/passkeys',
  'account',
  'people',
  'share',
  'search',
  'chat/starred',
  'chat/list',
  'chat/conversation',
  'chat/groupCalls',
  'chat/calling',
  'chat/takeout',
  'chat/emoji',
  'chat/voice',
  'chat/media',
  'chat/words',
  'chat/context',
  'chat/storage',
  'chat/engine',
  'shell',
  'session',
  'ui',
  'i18n',
  'api',
  'device',
];

/** Rooms of one folder are adjacent in the list, so that no two folders import each other either. */
const folders = rooms.map((room) => room.split('/')[0]).filter((folder, place, all) => folder !== all[place - 1]);
if (new Set(folders).size < folders.length) throw new Error(`Rooms of one folder stand apart: ${folders.join(', ')}.`);

/** Matches the files of a room, excluding rooms nested in it. Files outside all rooms belong to `app`. */
function filesOf(room) {
  if (room === 'app') return '^web/src/(app/|[^/]+$)';
  const inside = rooms.flatMap((other) => (other.startsWith(`${room}/`) ? other.slice(room.length + 1) : []));
  return `^web/src/${room}/${inside.length === 0 ? '' : `(?!(${inside.join('|')})/)`}`;
}

const roomsStandInTiers = rooms.map((room, place) => ({
  name: `web-room-${room.replace('/', '-')}`,
  comment: 'A room imports only what stands below it in the list of rooms.',
  severity: 'error',
  from: { path: filesOf(room), pathNot: tests },
  to: { path: '^web/src/', pathNot: rooms.slice(place).map(filesOf) },
}));

/** Allows a workspace to import only the given Nolo workspaces. */
function onlyImports(name, from, allowed) {
  return {
    name,
    severity: 'error',
    from: { path: from, pathNot: tests },
    to: { path: ours, pathNot: allowed },
  };
}

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or hide a third.',
      severity: 'error',
      from: { path: ours },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment:
        'An import that resolves to nothing is seen by no other rule; the modules of k6 are inside its program, and virtual ones are made by our plugins of Vite.',
      severity: 'error',
      from: { pathNot: '^tests/load/k6/' },
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'service-imports-kit-proto-rules',
      comment: 'Services talk by gRPC and NATS, never by import.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: [tests, '^services/gateway/'] },
      to: { path: ours, pathNot: ['^packages/(kit|rules|api)/', '^proto/', '^services/$1/'] },
    },
    {
      name: 'services-take-types-of-the-edge',
      comment:
        "Whoever makes frames for sockets has their types from the contract; what the contract does is the gateway's.",
      severity: 'error',
      from: { path: '^services/', pathNot: [tests, '^services/gateway/'] },
      to: { path: '^packages/api/', dependencyTypesNot: ['type-only'] },
    },
    onlyImports('gateway-imports-kit-proto-rules-api', '^services/gateway/', [
      '^packages/(kit|rules|api)/',
      '^proto/',
      '^services/gateway/',
    ]),
    onlyImports('web-imports-api-rules', '^web/', ['^web/', '^packages/(api|rules)/']),
    onlyImports('kit-stands-alone', '^packages/kit/', '^packages/kit/'),
    onlyImports('rules-stand-alone', '^packages/rules/', '^packages/rules/'),
    onlyImports('proto-stands-alone', '^proto/', '^proto/'),
    onlyImports('api-imports-rules', '^packages/api/', '^packages/(api|rules)/'),
    // Rules shared by both sides would be wrong on both sides, and no test could detect it.
    onlyImports('simulators-import-kit', '^simulators/', ['^simulators/', '^packages/kit/']),
    {
      name: 'rules-are-plain',
      comment: 'packages/rules is plain data and pure functions, so it needs no package and nothing of Node.',
      severity: 'error',
      from: { path: '^packages/rules/src/', pathNot: tests },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'core'] },
    },
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      from: { pathNot: [tests, '^packages/testing/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'production-knows-no-simulators',
      severity: 'error',
      from: { path: '^(packages/(kit|api|rules)|proto|services|web)/', pathNot: tests },
      to: { path: '^simulators/' },
    },
    {
      name: 'tests-of-a-service-stay-inside',
      comment: 'A test that needs two services belongs in tests/integration.',
      severity: 'error',
      from: { path: '^services/([^/]+)/.*' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Domain code names what it needs in ports.ts; stores, handlers and the wiring come to it.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/domain/', pathNot: tests },
      to: { path: '^services/$1/src/', pathNot: ['^services/$1/src/domain/', '^services/$1/src/errors\\.ts$'] },
    },
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/', pathNot: tests },
      to: { path: [...inputOutput, '^packages/kit/src/(rpc|bus|db|redis|outbox|delivery|lifecycle|telemetry|config)'] },
    },
    {
      name: 'handlers-reach-storage-through-ports',
      comment: 'rpc, events and jobs get their stores from app.ts, typed by domain/ports.ts.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/(rpc|events|jobs)/', pathNot: tests },
      to: { path: '^services/$1/src/(store/|app\\.ts|main\\.ts)' },
    },
    {
      name: 'stores-know-only-domain',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/store/', pathNot: tests },
      to: { path: '^services/$1/src/(rpc|events|jobs)/|^services/$1/src/(app|main)\\.ts' },
    },
    {
      name: 'only-main-starts-things',
      comment:
        'main.ts, migrate.ts and admin.ts have side effects; importing one would start the service, migrate its schema or end the process.',
      severity: 'error',
      from: {},
      to: { path: '^(services/[^/]+|simulators)/src/(main|migrate|admin)\\.ts$' },
    },
    ...roomsStandInTiers,
    {
      name: 'models-are-free-of-react',
      comment: 'An engine/ or a model/ of the web runs without a screen: use zustand/vanilla and plain functions.',
      severity: 'error',
      from: { path: '^web/src/.*/(model|engine)/', pathNot: tests },
      to: {
        path: [
          'node_modules/(react|react-dom|react-router-dom|react-router|react-i18next|react-hook-form|react-virtuoso|radix-ui|idb)/',
          'node_modules/@tanstack/react-query/',
          'node_modules/zustand/(esm/)?(index|react)\\.',
          '\\.tsx$',
        ],
      },
    },
    {
      name: 'web-runs-in-browsers',
      severity: 'error',
      from: { path: '^web/src/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.nolo|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.d.ts'],
    },
  },
};
