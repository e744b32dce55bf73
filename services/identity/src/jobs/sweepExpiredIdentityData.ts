import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { SecondFactors } from '../domain/factorPorts.ts';
import type { MailInvitations } from '../domain/mailInvitations.ts';
import type { LastSeen } from '../domain/peoplePorts.ts';
import type { Sessions, Usernames, VerificationCodes } from '../domain/ports.ts';
import type { SecurityNotices } from '../domain/securityPorts.ts';
import type { Reports } from '../domain/reportPorts.ts';
import type { AccessTokens } from '../domain/tokenPorts.ts';

/** Deletes expired data, which is already refused everywhere, to free its space. */
export function sweepExpiredIdentityData(deps: {
  sessions: Sessions;
  verificationCodes: VerificationCodes;
  notices: SecurityNotices;
  accessTokens: AccessTokens;
  secondFactors: SecondFactors;
  usernames: Usernames;
  lastSeen: Pick<LastSeen, 'sweep'>;
  reports: Reports;
  mailInvitations: Pick<MailInvitations, 'sweep'>;
  clock: Clock;
  log: Pick<Log, 'info'>;
}): () => Promise<void> {
  return async () => {
    const now = deps.clock.now();
    await deps.verificationCodes.sweep(now);
    await deps.sessions.sweep(now);
    await deps.notices.sweep(now);
    await deps.accessTokens.sweep(now);
    await deps.usernames.sweep(now);
    await deps.lastSeen.sweep(now);
    await deps.reports.sweep(now);
    await deps.mailInvitations.sweep(now);
    await deps.secondFactors.sweep(now);
    const resealed = await deps.secondFactors.reseal();
    if (resealed > 0) deps.log.info({ resealed }, 'second factors re-encrypted with the first key');
  };
}
