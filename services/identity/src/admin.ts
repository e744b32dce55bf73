import { systemClock } from '@nolo/kit/clock';
import { ConfigError, loadConfig } from '@nolo/kit/config';
import { createDb } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { limits } from '@nolo/rules';
import { runCommand } from './commandLine.ts';
import { CommandRefused } from './commands/commandTools.ts';
import { adminConfigSchema, invitesTo } from './config.ts';
import { createCodes } from './domain/codes.ts';
import { createBarredHosts } from './store/barredHosts.ts';
import { createAnnouncementStore } from './store/announcements.ts';
import { createInstallationSettings } from './store/installationSettings.ts';
import { createMailInvitations } from './store/mailInvitations.ts';
import { createOperators } from './store/operators.ts';
import { createReports } from './store/reports.ts';
import { createSessionCache } from './store/sessionCache.ts';
import { createVerificationCodes } from './store/verificationCodes.ts';

/**
 * Runs operator commands on the command line next to a running identity service, which publishes the changes written
 * here.
 */
async function run(argv: readonly string[]): Promise<void> {
  const config = loadConfig(adminConfigSchema);
  const log = createLog({ service: 'admin', level: 'fatal' });
  const db = createDb({ url: config.DATABASE_URL, schema: 'identity', poolMax: 2 });
  const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log });
  const codes = createCodes({
    pepper: config.CODE_PEPPER.reveal(),
    digits: limits.verificationCodeDigits,
    fixedCode: undefined,
  });
  try {
    await runCommand(
      {
        operators: createOperators(db, () => undefined),
        announcements: createAnnouncementStore(db, () => undefined),
        barredHosts: createBarredHosts(db, () => undefined),
        mailInvitations: createMailInvitations(db, () => undefined),
        invitesTo: invitesTo(config),
        reports: createReports(db),
        installationSettings: createInstallationSettings(db, () => undefined),
        clock: systemClock,
        print: (line) => process.stdout.write(`${line}\n`),
        forgetSessions: (hashes) => createSessionCache(redis, log).forget(hashes),
        forgetNumber: (phoneNumber) => createVerificationCodes(db).forget(codes.numberHash(phoneNumber)),
      },
      argv,
    );
  } finally {
    await closeRedis(redis);
    await db.destroy();
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isForeseen = error instanceof CommandRefused;
  const sentence = error instanceof ConfigError ? error.sentences.join('\n') : (error as Error).message;
  process.stderr.write(`${isForeseen ? error.message : sentence}\n`);
  process.exitCode = 1;
}
