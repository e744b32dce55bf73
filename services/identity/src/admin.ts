import { systemClock } from '@nolo/kit/clock';
import { ConfigError, loadConfig } from '@nolo/kit/config';
import { createDb } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { limits } from '@nolo/rules';
import { runCommand } from './commandLine.ts';
import { CommandRefusedError } from './commands/commandTools.ts';
import { adminConfigSchema, getMailInvitationUrl } from './config.ts';
import { createVerificationCodeMaker } from './domain/verificationCodeMaker.ts';
import { createBarredHostStore } from './store/barredHosts.ts';
import { createAnnouncementStore } from './store/announcements.ts';
import { createInstallationSettingStore } from './store/installationSettings.ts';
import { createMailInvitationStore } from './store/mailInvitations.ts';
import { createOperatorStore } from './store/operators.ts';
import { createReportStore } from './store/reports.ts';
import { createSessionCache } from './store/sessionCache.ts';
import { createVerificationCodeStore } from './store/verificationCodes.ts';

/**
 * Runs operator commands on the command line next to a running identity service, which publishes the changes written
 * here.
 */
async function run(argv: readonly string[]): Promise<void> {
  const config = loadConfig(adminConfigSchema);
  const log = createLog({ service: 'admin', level: 'fatal' });
  const db = createDb({ url: config.DATABASE_URL, schema: 'identity', poolMax: 2 });
  const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log });
  const codes = createVerificationCodeMaker({
    pepper: config.CODE_PEPPER.reveal(),
    digits: limits.verificationCodeDigits,
    fixedCode: undefined,
  });
  try {
    await runCommand(
      {
        operators: createOperatorStore(db, () => undefined),
        announcements: createAnnouncementStore(db, () => undefined),
        barredHosts: createBarredHostStore(db, () => undefined),
        mailInvitations: createMailInvitationStore(db, () => undefined),
        invitesTo: getMailInvitationUrl(config),
        reports: createReportStore(db),
        installationSettings: createInstallationSettingStore(db, () => undefined),
        clock: systemClock,
        print: (line) => process.stdout.write(`${line}\n`),
        forgetSessions: (hashes) => createSessionCache(redis, log).forget(hashes),
        forgetNumber: (phoneNumber) => createVerificationCodeStore(db).forget(codes.numberHash(phoneNumber)),
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
  const isForeseen = error instanceof CommandRefusedError;
  const sentence = error instanceof ConfigError ? error.sentences.join('\n') : (error as Error).message;
  process.stderr.write(`${isForeseen ? error.message : sentence}\n`);
  process.exitCode = 1;
}
