// Allowed imports: docs/ARCHITECTURE.md draws them, these rules enforce them. Type-only imports count too, because a
// type borrowed from the wrong room couples two rooms just as much.

const tests = '(\\.test\\.tsx?$|/tests/|^tests/)';
const ours = '^(packages|proto|services|simulators|web|tests|scripts)/';

/**
 * Components and functions that load later than the module that opens them. Their props are declared by that module, so
 * that it need not load them for a type.
 */
const lazyChildren =
  '^web/src/(chat/list/(RowMenu|VirtualRows)\\.tsx|meetings/room/background/blurCamera\\.ts|ui/SharedTooltip\\.tsx)$';

const inputOutput = [
  '^node:(fs|net|tls|http|http2|https|dgram|dns|child_process|worker_threads|cluster)',
  '^(fs|net|tls|http|http2|https|dgram|dns|child_process|worker_threads|cluster)(/|$)',
  'node_modules/(knex|pg|ioredis|express|ws|pino|bullmq|twilio|openid-client|rate-limiter-flexible|prom-client)/',
  'node_modules/@(grpc|nats-io|aws-sdk)/',
];

/**
 * The rooms (modules) of the web app, highest first. Each room may import only rooms below it, types included, so no
 * two rooms import each other. If a room shows something from a higher room, `app` injects it (nothing imports `app`),
 * or a small store below both provides it (`chat/calling`, `shell/socialPostRequests.ts`).
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
  'chat/sealed',
  'chat/groupCalls',
  'chat/calling',
  'chat/accountExport',
  'chat/chatExport',
  'chat/emoji',
  'chat/voice',
  'chat/media',
  'chat/words',
  'chat/context',
  'chat/storage',
  'keys',
  'shell',
  'session',
  'ui',
  'i18n',
  'api',
  'device',
];

/** Rooms of one folder are adjacent in the list, so that no two folders import each other either. */
const folders = rooms.map((room) => room.split('/')[0]).filter((folder, place, all) => folder !== all[place - 1]);
if (new Set(folders).size < folders.length)
  throw new Error(`The rooms of one folder must be listed together: ${folders.join(', ')}.`);

/** Matches the files of a room, excluding rooms nested in it. Files outside all rooms belong to `app`. */
function filesOf(room) {
  if (room === 'app') return '^web/src/(app/|[^/]+$)';
  const inside = rooms.flatMap((other) => (other.startsWith(`${room}/`) ? other.slice(room.length + 1) : []));
  return `^web/src/${room}/${inside.length === 0 ? '' : `(?!(${inside.join('|')})/)`}`;
}

const roomsStandInTiers = rooms.map((room, place) => ({
  name: `web-room-${room.replace('/', '-')}`,
  comment: 'A room may import only the rooms below it in the list.',
  severity: 'error',
  from: { path: filesOf(room), pathNot: tests },
  to: { path: '^web/src/', pathNot: rooms.slice(place).map(filesOf) },
}));

/**
 * The four layers of the gateway, highest first: wiring; entries, which stand beside each other; their context and what
 * it holds; conversions and rules. Each folder or file may import only those listed below it, types included, so no two
 * import each other.
 */
const gatewayLayers = [
  ['main', 'admin', 'app', 'httpApp'],
  ['commands', 'docs', 'routes', 'signIn', 'sockets'],
  ['gatewayContext', 'imports', 'links', 'http', 'announcementBoard', 'sessionEnds'],
  ['mapping', 'clients', 'config', 'domain', 'errors'],
];

const gatewayNames = gatewayLayers.flat();
const gatewayPath = (names) => `^services/gateway/src/(${names.join('|')})(/|\\.ts$)`;

const gatewayStandsInLayers = [
  ...gatewayNames.map((name, place) => ({
    name: `gateway-layer-${name}`,
    comment: 'A folder or file of the gateway may import only those below it in the list.',
    severity: 'error',
    from: { path: gatewayPath([name]), pathNot: tests },
    to: { path: '^services/gateway/src/', pathNot: gatewayPath(gatewayNames.slice(place)) },
  })),
  {
    name: 'gateway-entries-stand-apart',
    comment: 'What two entries share belongs in a layer below both.',
    severity: 'error',
    from: { path: gatewayPath(gatewayLayers[1]), pathNot: tests },
    to: { path: gatewayPath(gatewayLayers[1]), pathNot: '^services/gateway/src/$1/' },
  },
  {
    name: 'gateway-files-have-a-layer',
    comment: 'Add a new folder or file of services/gateway/src to the list of layers.',
    severity: 'error',
    from: { path: '^services/gateway/src/', pathNot: [tests, gatewayPath(gatewayNames)] },
    to: {},
  },
];

/**
 * The folders of kit, highest first. Each may import only those below it, and the files beside them, which know no
 * store and no protocol.
 */
const kitFolders = ['process', 'jobs', 'redis', 'events', 'bus', 'rpc', 'db', 'telemetry'];
const kitPath = (names) => `^packages/kit/src/(${names.join('|')})/`;

const kitStandsInLayers = [
  ...kitFolders.map((name, place) => ({
    name: `kit-layer-${name}`,
    comment: 'A folder of kit may import only those below it in the list.',
    severity: 'error',
    from: { path: kitPath([name]), pathNot: tests },
    to: { path: kitPath(kitFolders.slice(0, place + 1)), pathNot: kitPath([name]) },
  })),
  {
    name: 'kit-files-stand-below-folders',
    comment: 'A file that needs a store or a protocol belongs in a folder.',
    severity: 'error',
    from: { path: '^packages/kit/src/[^/]+$', pathNot: tests },
    to: { path: '^packages/kit/src/[^/]+/' },
  },
  {
    name: 'kit-folders-have-a-layer',
    comment: 'Add a new folder of packages/kit/src to the list of layers.',
    severity: 'error',
    from: { path: '^packages/kit/src/[^/]+/', pathNot: [tests, kitPath(kitFolders)] },
    to: {},
  },
];

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
      comment: 'Two modules that import each other are really one module, or hide a third.',
      severity: 'error',
      from: { path: ours },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-types',
      comment: 'Type imports count too: move the shared types into a module below both.',
      severity: 'error',
      from: { path: '^(packages/(client|installation|kit|api|rules)|web)/', pathNot: lazyChildren },
      to: { circular: true, viaOnly: { pathNot: lazyChildren } },
    },
    {
      name: 'resolvable',
      comment:
        'No other rule covers an import that does not resolve. The k6 modules are built into k6, and our Vite plugins create the virtual ones.',
      severity: 'error',
      from: { pathNot: '^tests/load/k6/' },
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'service-imports-kit-proto-rules',
      comment: 'Services communicate over gRPC and NATS, never through imports.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: [tests, '^services/gateway/'] },
      to: { path: ours, pathNot: ['^packages/(installation|kit|rules|api|e2ee)/', '^proto/', '^services/$1/'] },
    },
    {
      name: 'few-services-check-statements',
      comment: 'A service imports e2ee only if it decides about signed statements. No service can open anything.',
      severity: 'error',
      from: { path: '^services/', pathNot: [tests, '^services/(identity|chat)/'] },
      to: { path: '^packages/e2ee/' },
    },
    {
      name: 'services-take-types-of-the-edge',
      comment: 'Code that builds socket frames may import types of the contract; its code belongs to the gateway.',
      severity: 'error',
      from: { path: '^services/', pathNot: [tests, '^services/gateway/'] },
      to: { path: '^packages/api/', dependencyTypesNot: ['type-only'] },
    },
    onlyImports('gateway-imports-kit-proto-rules-api', '^services/gateway/', [
      '^packages/(installation|kit|rules|api)/',
      '^proto/',
      '^services/gateway/',
    ]),
    onlyImports('web-imports-client-e2ee-api-rules', '^web/', ['^web/', '^packages/(client|e2ee|api|rules)/']),
    onlyImports('client-imports-e2ee-api-rules', '^packages/client/', '^packages/(client|e2ee|api|rules)/'),
    onlyImports('e2ee-stands-alone', '^packages/e2ee/', '^packages/e2ee/'),
    onlyImports('installation-imports-kit', '^packages/installation/', '^packages/(installation|kit)/'),
    onlyImports('kit-stands-alone', '^packages/kit/', '^packages/kit/'),
    onlyImports('rules-stand-alone', '^packages/rules/', '^packages/rules/'),
    onlyImports('proto-stands-alone', '^proto/', '^proto/'),
    onlyImports('api-imports-rules', '^packages/api/', '^packages/(api|rules)/'),
    // Rules shared by both sides would be wrong on both sides, and no test could detect it.
    onlyImports('simulators-import-kit', '^simulators/', ['^simulators/', '^packages/kit/']),
    {
      name: 'rules-are-plain',
      comment: 'packages/rules is plain data and pure functions, so it needs no packages and no Node APIs.',
      severity: 'error',
      from: { path: '^packages/rules/src/', pathNot: tests },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'core'] },
    },
    {
      name: 'e2ee-imports-its-primitives',
      comment: 'packages/e2ee does no input or output, and takes primitives and encodings from these libraries alone.',
      severity: 'error',
      from: { path: '^packages/e2ee/src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'core'],
        pathNot: 'node_modules/(@hpke/(core|dhkem-x25519|hybridkem-x-wing)|@noble/curves|@scure/bip39|cborg)/',
      },
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
      from: { path: '^(packages/(installation|kit|api|rules)|proto|services|web)/', pathNot: tests },
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
      comment:
        'Domain code declares what it needs in ports.ts; stores, handlers, and wiring depend on the domain, never the reverse.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/domain/', pathNot: tests },
      to: { path: '^services/$1/src/', pathNot: ['^services/$1/src/domain/', '^services/$1/src/errors\\.ts$'] },
    },
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/', pathNot: tests },
      to: {
        path: [
          ...inputOutput,
          '^packages/kit/src/((bus|db|process|redis|rpc)/|events/outbox|telemetry/(telemetry|tracing)|config)',
          '^packages/installation/',
        ],
      },
    },
    {
      name: 'handlers-reach-storage-through-ports',
      comment: 'rpc, events, and jobs receive their stores from app.ts, typed by domain/ports.ts.',
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
        'main.ts, migrate.ts, and admin.ts have side effects; importing one would start the service, migrate its schema, or end the process.',
      severity: 'error',
      from: {},
      to: { path: '^(services/[^/]+|simulators)/src/(main|migrate|admin)\\.ts$' },
    },
    ...gatewayStandsInLayers,
    ...kitStandsInLayers,
    ...roomsStandInTiers,
    {
      name: 'client-has-no-screen',
      comment: 'packages/client runs in a tab, a worker, and Node. Browsers and Node reach it through its ports.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: [tests, '^packages/client/src/node/'] },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'core'],
        pathNot: ['node_modules/zustand/(esm/)?vanilla\\.', 'node_modules/altcha-lib/'],
      },
    },
    {
      name: 'models-are-free-of-react',
      comment: 'A model/ folder of the web app runs without a UI: use zustand/vanilla and plain functions.',
      severity: 'error',
      from: { path: '^web/src/.*/model/', pathNot: tests },
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
