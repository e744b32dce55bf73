import { createLog } from '@nolo/kit/log';
import { runCommand } from '../src/commandLine.ts';
import { CommandRefusedError } from '../src/commands/commandTools.ts';
import { createBarredHostStore } from '../src/store/barredHosts.ts';
import { createAnnouncementStore } from '../src/store/announcements.ts';
import { createInstallationSettingStore } from '../src/store/installationSettings.ts';
import { createMailInvitationStore } from '../src/store/mailInvitations.ts';
import { createOperatorStore } from '../src/store/operators.ts';
import { createReportStore } from '../src/store/reports.ts';
import { createSessionCache } from '../src/store/sessionCache.ts';
import type { TestIdentity } from './startIdentity.ts';

const log = createLog({ service: 'test', level: 'silent' });

/** Runs the command line next to an identity service under test. */
export function createTestCommandLine(
  { db, redis, clock }: Pick<TestIdentity, 'db' | 'redis' | 'clock'>,
  invitesTo?: string,
) {
  /** Runs a command and returns its output lines. */
  const command = async (...argv: string[]): Promise<string[]> => {
    const lines: string[] = [];
    const tools = {
      operators: createOperatorStore(db, () => undefined),
      announcements: createAnnouncementStore(db, () => undefined),
      barredHosts: createBarredHostStore(db, () => undefined),
      mailInvitations: createMailInvitationStore(db, () => undefined),
      invitesTo,
      reports: createReportStore(db),
      installationSettings: createInstallationSettingStore(db, () => undefined),
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
      (error: unknown) => (error instanceof CommandRefusedError ? error.message : String(error)),
    );
  return { command, refusedCommand };
}
