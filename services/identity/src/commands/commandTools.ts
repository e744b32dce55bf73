import type { Clock } from '@nolo/kit/clock';
import { formatFullName, limits, cleanNameWithin } from '@nolo/rules';
import { readAccountQuery } from '../domain/accountQuery.ts';
import type { BarredHostStore } from '../domain/barredHosts.ts';
import type { AnnouncementStore } from '../domain/announcements.ts';
import type { InstallationSettingStore } from '../domain/installationSettings.ts';
import type { MailInvitationStore } from '../domain/mailInvitations.ts';
import type { AccountFacts, OperatorStore } from '../domain/operatorPorts.ts';
import type { ReportStore } from '../domain/reportPorts.ts';

/** Invalid input or an impossible request. The message is shown unchanged. */
export class CommandRefusedError extends Error {}

/** Dependencies of commands. */
export interface CommandDependencies {
  operators: OperatorStore;
  announcements: AnnouncementStore;
  barredHosts: BarredHostStore;
  mailInvitations: MailInvitationStore;
  /** Target of email invitations. Undefined if no email is sent. */
  invitesTo: string | undefined;
  reports: ReportStore;
  installationSettings: InstallationSettingStore;
  clock: Clock;
  /** Prints one line of output. */
  print: (line: string) => void;
  /** Clears ended sessions from caches. */
  forgetSessions: (tokenHashes: readonly Buffer[]) => Promise<void>;
  /** Deletes the browsers remembered for a phone number. */
  forgetNumber: (phoneNumber: string) => Promise<void>;
}

/** Arguments after the two words that name the command. */
export interface CommandArguments {
  /** Subject: an account, a report, a setting, hosts, email addresses, or the text of an announcement. */
  account: string | undefined;
  /** New value of the subject. */
  value: string | undefined;
  reason: string | undefined;
  days: string | undefined;
  head: string | undefined;
  de: string | undefined;
  severity: string | undefined;
  state: string | undefined;
  outcome: string | undefined;
  language: string | undefined;
  now: boolean | undefined;
  exact: boolean | undefined;
}

export type Command = (tools: CommandDependencies, words: CommandArguments) => Promise<void>;

/** Audit name of the command line, whose user controls the installation. */
export const commandLineActor = 'command line' as const;
const dayMs = 86_400_000;

export function describeAccount({ suspension, ...account }: AccountFacts): string {
  const kept = suspension
    ? `suspended ${suspension.until ? `until ${suspension.until.toISOString()}` : 'until lifted'}: ${suspension.reason}`
    : 'not suspended';
  const facts = [
    account.id,
    formatFullName(account.firstName, account.lastName) || 'no name',
    account.phoneNumber ?? 'no number',
    account.email ?? 'no email address',
    account.username ? `@${account.username}` : 'no username',
    `since ${account.createdAt.toISOString()}`,
    `${account.devices} devices`,
    ...(account.operator ? ['operator'] : []),
    kept,
    ...(account.deletesAt ? [`closed, to be deleted at ${account.deletesAt.toISOString()}`] : []),
  ];
  return facts.join('  ');
}

/** Returns the one account that matches. */
export async function findCommandAccount(
  { operators, clock }: CommandDependencies,
  { account }: CommandArguments,
): Promise<AccountFacts> {
  const query = readAccountQuery(account ?? '');
  if (account === undefined)
    throw new CommandRefusedError('Name the account by its number, email address, username or ID.');
  const found = query ? await operators.find(commandLineActor, query, clock.now()) : undefined;
  const accounts = found?.outcome === 'found' ? found.accounts : [];
  const [one] = accounts;
  if (!one) throw new CommandRefusedError(`No account matches ${account}.`);
  if (accounts.length === 1) return one;
  throw new CommandRefusedError(
    [`Several accounts match ${account}. Name one by its ID:`, ...accounts.map(describeAccount)].join('\n'),
  );
}

export function requireReason({ reason }: CommandArguments): string {
  const text = cleanNameWithin(reason ?? '', { min: 1, max: limits.operatorReasonLength });
  if (text !== undefined) return text;
  throw new CommandRefusedError(
    `Give a reason: --reason "..." with at most ${limits.operatorReasonLength} characters.`,
  );
}

export function parseSuspensionEnd({ days }: Pick<CommandArguments, 'days'>, now: Date): Date | null {
  if (days === undefined) return null;
  if (/^[1-9]\d{0,3}$/.test(days)) return new Date(now.getTime() + Number(days) * dayMs);
  throw new CommandRefusedError(
    '--days must be a whole number from 1 to 9999. Without it, the suspension lasts until it is lifted.',
  );
}
