import { createLog } from '@nolo/kit/log';
import { runCommand } from '../src/commandLine.ts';
import { CommandRefused } from '../src/commands/commandTools.ts';
import { createBarredHosts } from '../src/store/barredHosts.ts';
import { createAnnouncementStore } from '../src/store/announcements.ts';
import { createInstallationSettings } from '../src/store/installationSettings.ts';
import { createMailInvitations } from '../src/store/mailInvitations.ts';
import { createOperators } from '../src/store/operators.ts';
import { createReports } from '../src/store/reports.ts';
import { createSessionCache } from '../src/store/sessionCache.ts';
import type { TestIdentity } from './startTestIdentity.ts';

const log = createLog({ service: 'test', level: 'silent' });

/** Runs the command line next to an identity service under test. */
export function commandsOf({ db, redis, clock }: Pick<TestIdentity, 'db' | 'redis' | 'clock'>, invitesTo?: string) {
  /** Runs a command and returns its output lines. */
  const command = async (...argv: string[]): Promise<string[]> => {
    const lines: string[] = [];
    const tools = {
      operators: createOperators(db, () => undefined),
      announcements: createAnnouncementStore(db, () => undefined),
      barredHosts: createBarredHosts(db, () => undefined),
      mailInvitations: createMailInvitations(db, () => undefined),
      invitesTo,
      reports: createReports(db),
      installationSettings: createInstallationSettings(db, () => undefined),
      clock,
      print: (line: string) => void lines.push(line),
      forgetSessions: (hashes: readonly Buffer[]) => createSessionCache(redis, log).forget(hashes),
      forgetNumber: async () => undefined,
    };
    await runCommand(tools, argv);
    return lines;
  };
  /** Runs a command and returns why it was refused. */
  const refusedCommand = (...argv: string[]): Promise<string> =>
    command(...argv).then(
      () => 'done',
      (error: unknown) => (error instanceof CommandRefused ? error.message : String(error)),
    );
  return { command, refusedCommand };
}
