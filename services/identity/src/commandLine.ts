import { parseArgs } from 'node:util';
import { isId, parseId, type ReportId } from '@nolo/kit/ids';
import type { Clock } from '@nolo/kit/clock';
import { bulletinLimits, fullName, limits, reportOutcomes, reportStates, type ReportState } from '@nolo/rules';
import { readAccountQuery } from './domain/accountQuery.ts';
import { actLine } from './domain/auditChain.ts';
import { readBulletin, type Bulletin, type Bulletins } from './domain/bulletins.ts';
import { cleanText } from './domain/names.ts';
import type { AccountFacts, Operators } from './domain/operatorPorts.ts';
import type { Report, Reports } from './domain/reportPorts.ts';

const usage = `node services/identity/src/admin.ts (npm run admin -- on this machine)

  operators list
  operators add <account>
  operators remove <account>
  users find <account>
  users suspend <account> --reason <text> [--days <number>]
  users lift <account> --reason <text>
  users signout <account> --reason <text>
  users delete <account> --reason <text> [--now]
  announce <text> [--de <text>] [--severity info|warning] [--days <number>]
  announcements list
  announcements end <id>
  audit verify [--head <hash>]
  audit export
  reports list [--state open|in_progress|closed]
  reports take <report> --reason <text>
  reports close <report> --outcome nothing|warned|suspended|removed --reason <text>
  reports reopen <report> --reason <text>

An account is its number with the country code, its mail address, its username or its id. --head is a hash that
"audit verify" or the page showed once: it has to be in the audit still. Whose account is deleted may keep it for
${limits.accountGraceDays} days; --now leaves those out, and cannot be taken back.`;

/** What somebody typed wrong, or what cannot be; shown as it is. */
export class CommandRefused extends Error {}

interface CommandLine {
  operators: Operators;
  bulletins: Bulletins;
  reports: Reports;
  clock: Clock;
  /** Where answers go, line by line. */
  print: (line: string) => void;
  /** Has caches forget sessions that ended. */
  forgetSessions: (tokenHashes: readonly Buffer[]) => Promise<void>;
  /** Forgets the browsers that a number knows. */
  forgetNumber: (phoneNumber: string) => Promise<void>;
}

interface Words {
  account: string | undefined;
  reason: string | undefined;
  days: string | undefined;
  head: string | undefined;
  de: string | undefined;
  severity: string | undefined;
  state: string | undefined;
  outcome: string | undefined;
  now: boolean | undefined;
}

const acting = 'command line' as const;
const dayMs = 86_400_000;

function describe({ suspension, ...account }: AccountFacts): string {
  const kept = suspension
    ? `suspended ${suspension.until ? `until ${suspension.until.toISOString()}` : 'until lifted'}: ${suspension.reason}`
    : 'not suspended';
  const facts = [
    account.id,
    fullName(account.firstName, account.lastName) || 'no name',
    account.phoneNumber ?? 'no number',
    account.email ?? 'no mail address',
    account.username ? `@${account.username}` : 'no username',
    `since ${account.createdAt.toISOString()}`,
    `${account.devices} devices`,
    ...(account.operator ? ['operator'] : []),
    kept,
    ...(account.deletesAt ? [`closed, to be deleted at ${account.deletesAt.toISOString()}`] : []),
  ];
  return facts.join('  ');
}

/** Does what the words say. @throws CommandRefused with a sentence */
export async function runCommand(tools: CommandLine, argv: readonly string[]): Promise<void> {
  const { group, word, words } = readWords(argv);
  const command = commands[`${group} ${word}`];
  if (!command) throw new CommandRefused(usage);
  await command(tools, words);
}

function readWords(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    reason: text,
    days: text,
    head: text,
    de: text,
    severity: text,
    state: text,
    outcome: text,
    now: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const { reason, days, head, de, severity, state, outcome, now } = values;
    // What everybody is told stands where others have the word that says what to do.
    const [group = '', ...more] =
      positionals[0] === 'announce' ? ['announcements', 'make', ...positionals.slice(1)] : positionals;
    const [word = group === 'operators' || group === 'announcements' ? 'list' : '', account, ...rest] = more;
    if (rest.length > 0) throw new CommandRefused(usage);
    return { group, word, words: { account, reason, days, head, de, severity, state, outcome, now } };
  } catch {
    throw new CommandRefused(usage);
  }
}

/** The one account that is meant. */
async function accountOf({ operators, clock }: CommandLine, { account }: Words): Promise<AccountFacts> {
  const query = readAccountQuery(account ?? '');
  if (account === undefined) throw new CommandRefused(usage);
  const found = query ? await operators.find(acting, query, clock.now()) : undefined;
  const accounts = found?.outcome === 'found' ? found.accounts : [];
  const [one] = accounts;
  if (!one) throw new CommandRefused(`Nobody here is ${account}.`);
  if (accounts.length === 1) return one;
  throw new CommandRefused([`Several are ${account}; name one by its id:`, ...accounts.map(describe)].join('\n'));
}

function reasonOf({ reason }: Words): string {
  const text = cleanText(reason ?? '', { min: 1, max: limits.operatorReasonLength });
  if (text !== undefined) return text;
  throw new CommandRefused(`Say why: --reason "..." with at most ${limits.operatorReasonLength} characters.`);
}

function endOf({ days }: Pick<Words, 'days'>, now: Date): Date | null {
  if (days === undefined) return null;
  if (/^[1-9]\d{0,3}$/.test(days)) return new Date(now.getTime() + Number(days) * dayMs);
  throw new CommandRefused('--days is a whole number from 1 to 9999; without it nobody is let in before it is lifted.');
}

const announcementLine = ({ id, severity, until, endedAt, texts }: Bulletin): string => {
  const end = endedAt ? `ended ${endedAt.toISOString()}` : `until ${until.toISOString()}`;
  return [id, severity, end, JSON.stringify(texts)].join('  ');
};

const outcomeWords: Record<string, string> = {
  missing: 'The account is gone.',
  is_operator: 'This is an operator: take that away first.',
  not_suspended: 'This account is not suspended.',
};

type Outcome = { outcome: string; account?: AccountFacts; endedTokenHashes?: Buffer[] };

/** Tells what came of it. */
async function finish({ print, forgetSessions }: CommandLine, done: Outcome): Promise<void> {
  const refused = outcomeWords[done.outcome];
  if (refused !== undefined) throw new CommandRefused(refused);
  await forgetSessions(done.endedTokenHashes ?? []);
  if (done.account) print(describe(done.account));
}

function reportLines(report: Report): string[] {
  const { reporterId, reportedId, state, outcome, note, messages, notes } = report;
  const about = reportedId === null ? `${report.kind} ${report.targetId}` : `${report.kind} of ${reportedId}`;
  const head = [report.id, report.at.toISOString(), state, ...(outcome ? [outcome] : []), report.category, about];
  return [
    [...head, `by ${reporterId ?? 'an account that is gone'}`].join('  '),
    ...(note === null ? [] : [`  says: ${note}`]),
    ...messages.map(({ senderId, sentAt, text }) => `  ${sentAt}  ${senderId ?? 'gone'}: ${JSON.stringify(text)}`),
    ...notes.map(({ at, operatorId, text }) => `  ${at.toISOString()}  ${operatorId ?? 'command line'} noted: ${text}`),
  ];
}

/** Says how a report goes on. */
async function goOn(tools: CommandLine, words: Words, state: ReportState): Promise<void> {
  const outcome = reportOutcomes.find((one) => one === words.outcome) ?? null;
  if ((state === 'closed') !== (outcome !== null)) {
    throw new CommandRefused(`A report is closed with an outcome: --outcome ${reportOutcomes.join('|')}.`);
  }
  const change = { state, outcome, note: reasonOf(words) };
  const id = parseId<ReportId>(words.account);
  const done = id && (await tools.reports.change(acting, id, change, tools.clock.now()));
  if (done?.outcome !== 'changed') throw new CommandRefused('There is no such report any more.');
  for (const line of reportLines(done.report)) tools.print(line);
}

const commands: Record<string, (tools: CommandLine, words: Words) => Promise<void>> = {
  async 'operators list'({ operators, print }) {
    const all = await operators.list();
    for (const { userId, since } of all) print(`${userId}  since ${since.toISOString()}`);
    if (all.length === 0) print('There are no operators.');
  },

  async 'operators add'(tools, words) {
    const { id } = await accountOf(tools, words);
    const outcome = await tools.operators.add(id, tools.clock.now());
    if (outcome === 'missing') throw new CommandRefused('The account is gone.');
    tools.print(outcome === 'added' ? `${id} is an operator now.` : `${id} is one already.`);
  },

  async 'operators remove'(tools, words) {
    const { id } = await accountOf(tools, words);
    const isRemoved = await tools.operators.remove(id, tools.clock.now());
    tools.print(isRemoved ? `${id} is no operator any more.` : `${id} is none.`);
  },

  async 'users find'(tools, words) {
    tools.print(describe(await accountOf(tools, words)));
  },

  async 'users suspend'(tools, words) {
    const reason = reasonOf(words);
    const since = tools.clock.now();
    const until = endOf(words, since);
    const { id } = await accountOf(tools, words);
    await finish(tools, await tools.operators.suspend(acting, id, { reason, since, until }));
  },

  async 'users lift'(tools, words) {
    const reason = reasonOf(words);
    const { id } = await accountOf(tools, words);
    await finish(tools, await tools.operators.lift(acting, id, reason, tools.clock.now()));
  },

  async 'users signout'(tools, words) {
    const reason = reasonOf(words);
    const { id } = await accountOf(tools, words);
    await finish(tools, await tools.operators.signOut(acting, id, reason, tools.clock.now()));
  },

  async 'users delete'(tools, words) {
    const reason = reasonOf(words);
    const { id } = await accountOf(tools, words);
    const now = tools.clock.now();
    const atOnce = words.now === true;
    const done = await tools.operators.erase(acting, id, { reason, atOnce, now });
    await finish(tools, done);
    if (done.outcome === 'erased' && done.phoneNumber) await tools.forgetNumber(done.phoneNumber);
    const { deletesAt } = atOnce ? { deletesAt: null } : await accountOf(tools, { ...words, account: id });
    tools.print(
      atOnce ? `${id} is deleted.` : `${id} is closed, and will be deleted at ${deletesAt?.toISOString() ?? 'once'}.`,
    );
  },

  async 'announcements make'({ bulletins, clock, print }, { account: en = '', de, severity = 'info', days = '1' }) {
    const now = clock.now();
    const until = endOf({ days }, now) ?? undefined;
    const draft = readBulletin({ texts: { en, ...(de !== undefined && { de }) }, severity, until }, now);
    if (!draft) {
      const { length, days: most } = bulletinLimits;
      throw new CommandRefused(
        `announce "..." takes at most ${length} characters, --severity info or warning, --days up to ${most}.`,
      );
    }
    const made = await bulletins.make(acting, draft, now);
    if (made.outcome !== 'made') throw new CommandRefused('Nobody reads so many at once: end another one first.');
    print(announcementLine(made.bulletin));
  },

  async 'announcements list'({ bulletins, clock, print }) {
    const all = await bulletins.list(acting, { before: undefined, limit: 100 }, clock.now());
    if (all.outcome === 'listed') for (const bulletin of all.bulletins) print(announcementLine(bulletin));
  },

  async 'announcements end'({ bulletins, clock, print }, { account: id = '' }) {
    const ended = isId(id) ? await bulletins.end(acting, id, clock.now()) : undefined;
    if (ended?.outcome !== 'ended') throw new CommandRefused(`${id} is not shown to anybody.`);
    print(announcementLine(ended.bulletin));
  },

  async 'audit verify'({ operators, clock, print }, { head }) {
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head))
      throw new CommandRefused('--head has 64 hexadecimal digits.');
    const done = await operators.verify(acting, clock.now(), head ? Buffer.from(head, 'hex') : undefined);
    if (done.outcome !== 'verified') throw new CommandRefused(usage);
    const { entries, head: last, brokenAt } = done.verified;
    if (brokenAt !== undefined) {
      throw new CommandRefused(`The audit was changed: entry ${brokenAt} is missing or another than it was.`);
    }
    if (!done.knowsHead) throw new CommandRefused(`The audit was cut off: ${head ?? ''} is not in it any more.`);
    print(`${entries} entries, all as they were written${last ? `; the last is ${last.toString('hex')}` : ''}.`);
  },

  async 'reports list'({ reports, clock, print }, { state: asked }) {
    const state = reportStates.find((one) => one === asked);
    if (asked !== undefined && state === undefined) throw new CommandRefused(`--state is ${reportStates.join(', ')}.`);
    const page = { state, before: undefined, limit: limits.reportsPerPage };
    const done = await reports.list(acting, page, clock.now());
    const found = done.outcome === 'listed' ? done.reports : [];
    for (const line of found.flatMap(reportLines)) print(line);
    if (found.length === 0) print('There are no such reports.');
  },

  'reports take': (tools, words) => goOn(tools, words, 'in_progress'),
  'reports close': (tools, words) => goOn(tools, words, 'closed'),
  'reports reopen': (tools, words) => goOn(tools, words, 'open'),

  async 'audit export'({ operators, print }) {
    for await (const act of operators.everyAct()) print(actLine(act));
  },
};
