import { parseArgs } from 'node:util';
import { limits } from '@nolo/rules';
import { accountCommands } from './commands/accountCommands.ts';
import { announcementCommands } from './commands/announcementCommands.ts';
import { auditCommands } from './commands/auditCommands.ts';
import {
  CommandRefusedError,
  type Command,
  type CommandDependencies,
  type CommandArguments,
} from './commands/commandTools.ts';
import { barredHostCommands } from './commands/barredHostCommands.ts';
import { mailInvitationCommands } from './commands/mailInvitationCommands.ts';
import { reportCommands } from './commands/reportCommands.ts';
import { settingCommands } from './commands/settingCommands.ts';

const usage = `node services/identity/src/admin.ts (npm run admin -- on this machine)

  operators list
  operators add <account>
  operators remove <account>
  users find <account>
  users suspend <account> --reason <text> [--days <number>]
  users lift <account> --reason <text>
  users signout <account> --reason <text>
  users delete <account> --reason <text> [--now]
  users reopen <account> --reason <text>
  announce <text> [--de <text>] [--severity info|warning] [--days <number>]
  announcements list
  announcements end <id>
  audit verify [--head <hash>]
  audit export
  reports list [--state open|in_progress|closed]
  reports take <report> --reason <text>
  reports close <report> --outcome nothing|warned|suspended|removed --reason <text>
  reports reopen <report> --reason <text>
  hosts list
  hosts bar <hosts> [--exact] --reason <text>
  hosts unbar <hosts> --reason <text>
  invitations list
  invitations send <email addresses> [--language en|de]
  invitations withdraw <id>
  settings list
  settings set <setting> <value>
  settings reset <setting>
  state, jobs and rooms: node services/gateway/src/admin.ts, or npm run admin as well

Name an account by its number with the country code, its email address, its username or its ID. --head is a hash that
"audit verify" or the page showed earlier; it must still be in the audit log. The owner of a deleted account can keep it
for ${limits.accountGraceDays} days; --now skips those days and cannot be undone. Hosts are names or links, separated by
spaces or commas. Nolo does not open links to a blocked host, or to any of its subdomains unless you give --exact.`;

const commands: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...announcementCommands,
  ...auditCommands,
  ...barredHostCommands,
  ...mailInvitationCommands,
  ...reportCommands,
  ...settingCommands,
};

/** Default actions when the command names only a topic. */
const defaultSubcommands: Readonly<Record<string, string>> = {
  operators: 'list',
  announcements: 'list',
  hosts: 'list',
  invitations: 'list',
  settings: 'list',
};

/** Runs a command. @throws CommandRefusedError with a sentence */
export async function runCommand(tools: CommandDependencies, argv: readonly string[]): Promise<void> {
  const { group, action, words } = readWords(argv);
  const command = commands[`${group} ${action}`];
  if (!command) throw new CommandRefusedError(usage);
  await command(tools, words);
}

function readWords(argv: readonly string[]): { group: string; action: string; words: CommandArguments } {
  const text = { type: 'string' } as const;
  const options = {
    reason: text,
    days: text,
    head: text,
    de: text,
    severity: text,
    state: text,
    outcome: text,
    language: text,
    now: { type: 'boolean' },
    exact: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const { reason, days, head, de, severity, state, outcome, language, now, exact } = values;
    // The text of an announcement takes the position of the action word.
    const [group = '', ...more] =
      positionals[0] === 'announce' ? ['announcements', 'make', ...positionals.slice(1)] : positionals;
    const [action = defaultSubcommands[group] ?? '', account, value, ...rest] = more;
    if (rest.length > 0 || (value !== undefined && `${group} ${action}` !== 'settings set'))
      throw new CommandRefusedError(usage);
    const given = { reason, days, head, de, severity, state, outcome, language, now, exact };
    return { group, action, words: { account, value, ...given } };
  } catch {
    throw new CommandRefusedError(usage);
  }
}
