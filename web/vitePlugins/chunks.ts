import { fileURLToPath } from 'node:url';
import { firstRouteAddresses, routeAddresses } from './contract.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** Module information from the bundler. */
interface Graph {
  getModuleInfo: (id: string) => { code: string | null; importedIds: readonly string[] } | null;
}

interface Moment {
  name: string;
  entries: readonly string[];
}

/**
 * Moments of the app in order, each with the modules loaded at that time. Modules shared by several moments form one
 * file each. A separate file for every shared module, some 60 for the first screen, would cost a phone with a slow
 * connection more in round trips than their bytes do.
 */
const moments: readonly Moment[] = [
  { name: 'start', entries: ['app/main.tsx'] },
  {
    name: 'chats',
    entries: ['app/SignedIn.tsx', 'app/ChatsLayout.tsx', 'chat/list/NoConversationSelected.tsx'],
  },
  {
    name: 'soon',
    entries: [
      'account/security/ProofHost.tsx',
      'account/security/SecurityBanner.tsx',
      'app/AccountPreferencesSync.tsx',
      'app/SocialPostDialogHost.tsx',
      'app/ShortcutHandler.tsx',
      'calls/CallLayer.tsx',
      'chat/words/describeSystemMessage.ts',
      'groups/GroupButtons.tsx',
      'meetings/MeetingButtons.tsx',
      'i18n/refusalsTexts.ts',
      'people/OpenAddContactDialogButton.tsx',
      'session/preferences.ts',
      'shell/ChatsOrCallsSwitch.tsx',
    ],
  },
  { name: 'conversation', entries: ['chat/conversation/ConversationScreen.tsx'] },
  { name: 'group', entries: ['groups/GroupScreen.tsx'] },
];

/** Screens for signed-out people, who must not wait for what only others need. */
const outside: readonly Moment[] = [
  { name: 'signIn', entries: ['account/signIn/PhoneSignIn.tsx', 'account/signIn/DemoHint.tsx'] },
  {
    name: 'guests',
    entries: [
      'landing/Landing.tsx',
      'landing/legal/LegalPage.tsx',
      'meetings/room/GuestMeeting.tsx',
      'meetings/room/InviteDialog.tsx',
    ],
  },
];

const bootEntries = ['boot.ts', 'registerServiceWorker.ts'];

/**
 * Barrel modules, which re-export others: importing some of their names requires only the modules behind those names.
 * All other imports of a module load with it, or files would wait for each other.
 */
const barrels = /\/(?:radix-ui\/dist\/index|lucide-react\/dist\/esm\/lucide-react)\.m?js$/;
const packages = /import\s*\{([^}]*)\}\s*from\s*["'](radix-ui|lucide-react)["']/g;

/** Parses the names on both sides of a list such as `A, B as C`. */
const namesIn = (list: string): [inner: string, outer: string][] =>
  list.split(',').flatMap((one) => {
    const [inner = '', outer = inner] = one.trim().split(/\s+as\s+/);
    return inner === '' ? [] : [[inner, outer]];
  });

/** Maps each name of a barrel to its module. */
function behind(graph: Graph, barrel: string): ReadonlyMap<string, string> {
  const { code, importedIds } = graph.getModuleInfo(barrel) ?? { code: null, importedIds: [] };
  const statements = /(?:import\s*\*\s*as\s+(\w+)|export\s*\{([^}]*)\})\s*(?:from\s*["']([^"']+)["'])?/g;
  const ids = new Map<string, string>();
  const locals = new Map<string, string>();
  const found = new Map<string, string>();
  for (const [, local, list = '', from] of (code ?? '').matchAll(statements)) {
    // The bundler lists imports in the order of first mention.
    if (from !== undefined && !ids.has(from)) ids.set(from, importedIds[ids.size] ?? '');
    const id = from === undefined ? undefined : ids.get(from);
    if (local !== undefined && id !== undefined) locals.set(local, id);
    for (const [inner, outer] of namesIn(list)) {
      const target = id ?? locals.get(inner);
      if (target !== undefined) found.set(outer, target);
    }
  }
  return found;
}

/**
 * Returns the modules that a module certainly needs before it runs. For barrels, only those behind the imported names;
 * of the contract's routes, only those of the first screen.
 */
function importsOf(graph: Graph, id: string, names: Map<string, ReadonlyMap<string, string>>): string[] {
  if (barrels.test(id)) return [];
  const { code, importedIds } = graph.getModuleInfo(id) ?? { code: null, importedIds: [] };
  if (id === routeAddresses) return importedIds.filter((one) => one === firstRouteAddresses);
  const named = [...(code ?? '').matchAll(packages)].flatMap(([, list = '', library = '']) => {
    const barrel = importedIds.find((one) => one.includes(`/node_modules/${library}/`));
    if (barrel === undefined) return [];
    const known = names.get(barrel) ?? behind(graph, barrel);
    names.set(barrel, known);
    return namesIn(list).flatMap(([name]) => known.get(name) ?? []);
  });
  return [...importedIds, ...named];
}

/** Returns everything that modules import, directly and indirectly. */
function reachable(graph: Graph, entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const names = new Map<string, ReadonlyMap<string, string>>();
  const waiting = entries.map((entry) => source + entry);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...importsOf(graph, id, names));
  }
  return found;
}

/**
 * Rules needed by a few people's screens only. Their package has a single entry, so all of it seems to be needed at
 * once.
 */
const seldom =
  /\/packages\/rules\/src\/(?:webhooks|installationSettings|socialText|countXPostCharacters|xLinkedTopLevelDomains)\.ts$/;

/** Rules for chats and for settings, which sign-in and the landing page do not need. */
const chatRules = [
  'accessTokens',
  'barredHosts',
  'entitlements',
  'envelope',
  'foldText',
  'links',
  'preferences',
  'prices',
  'replyContents',
  'reports',
  'status',
  'statusContent',
];
const chatText = new RegExp(`/packages/rules/src/(?:${chatRules.join('|')})\\.ts$`);

/** Texts of an entry of its own, which belong into its file. */
const textsAlone = /\/web\/locales\/en\/refusals\.json$/;

/**
 * Libraries as large as everything else of their moment. A browser compiles a file without interruption, and handles no
 * input meanwhile.
 */
const large = /\/node_modules\/(react-dom|react-router|react-virtuoso)\//;

/** Returns the chunk name of a module, or null to leave it to the bundler. */
export function createChunkNamer(): (id: string, graph: Graph) => string | null {
  const all = [...bootEntries, ...[...moments, ...outside].flatMap(({ entries }) => entries)];
  const entries = new Set(all.map((entry) => source + entry));
  const find = (graph: Graph, of: readonly Moment[]) =>
    of.map((one) => ({ name: one.name, modules: reachable(graph, one.entries) }));
  let known: Record<'boot' | 'moments' | 'outside', { name: string; modules: Set<string> }[]> | undefined;
  return (id, graph) => {
    known ??= {
      boot: find(graph, [{ name: 'boot', entries: bootEntries }]),
      moments: find(graph, moments),
      outside: find(graph, outside),
    };
    const nameIn = (of: { name: string; modules: Set<string> }[]) => of.find(({ modules }) => modules.has(id))?.name;
    // The landing page's few hundred bytes stay as they are, and separately loaded entries keep their own files.
    if (entries.has(id) || barrels.test(id) || seldom.test(id) || textsAlone.test(id)) return null;
    if (chatText.test(id)) return 'chatText';
    // The app must not wait for its boot script, so modules shared with it form one file next to the script.
    if (nameIn(known.boot) !== undefined)
      return nameIn([...known.moments, ...known.outside]) === undefined ? null : 'boot';
    const library = large.exec(id)?.[1];
    if (library !== undefined) return library;
    const moment = nameIn(known.moments);
    if (moment === undefined || moment === 'start') return moment ?? null;
    // A conversation may open before the "soon" files arrive, and must not wait for all of them.
    const sooner = moment === 'soon' ? nameIn(known.moments.filter(({ name }) => name === 'conversation')) : undefined;
    return [moment, nameIn(known.outside), sooner].filter((part) => part !== undefined).join('-');
  };
}
